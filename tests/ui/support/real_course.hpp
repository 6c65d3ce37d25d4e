// RealCourse: the labs as they are, for a learner of a test's own.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>

#include "ui/support/desktop.hpp"

namespace klab::ui {

/// The real course, by links, in a folder of its own.
struct RealCourse {
  std::filesystem::path root;

  RealCourse() {
    std::string name = (std::filesystem::temp_directory_path() / "klab-code-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    root = name;
    const std::filesystem::path source = KLAB_SOURCE_DIR;
    for (const char* part : {"labs", "kernels", "solutions"})
      std::filesystem::create_directory_symlink(source / part, root / part);
    setenv("KLAB_ROOT", root.c_str(), 1);
  }
  ~RealCourse() {
    unsetenv("KLAB_ROOT");
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }
  RealCourse(const RealCourse&) = delete;
  RealCourse& operator=(const RealCourse&) = delete;

  void start_second_lab() const {
    std::filesystem::create_directories(root / "workbook");
    std::filesystem::copy(root / "kernels/02_coalescing/flawed.cu", file());
  }
  std::filesystem::path file() const { return root / "workbook" / "02_coalescing.cu"; }
  std::string text() const { return text_of(file()); }
  std::string journal() const { return text_of(root / "workbook/journal.jsonl"); }
  std::string draft() const { return text_of(root / "workbook/drafts/02_coalescing.cu"); }
};

}  // namespace klab::ui
