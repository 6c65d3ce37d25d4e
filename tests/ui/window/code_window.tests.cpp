// The code page in the real window: typing brings facts, finding and listings do as their keys say.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/course/workbook.hpp"
#include "ui/support/desktop.hpp"

namespace klab::ui {
namespace {

/// The real course in a folder of its own, with the second lab started.
struct RealCourse {
  std::filesystem::path root;

  RealCourse() {
    std::string name = (std::filesystem::temp_directory_path() / "klab-code-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    root = name;
    const std::filesystem::path source = KLAB_SOURCE_DIR;
    for (const char* part : {"labs", "kernels", "solutions"})
      std::filesystem::copy(source / part, root / part, std::filesystem::copy_options::recursive);
    std::filesystem::create_directories(root / "workbook");
    std::filesystem::copy(source / "kernels/02_coalescing/flawed.cu", file());
    setenv("KLAB_ROOT", root.c_str(), 1);
  }
  ~RealCourse() {
    unsetenv("KLAB_ROOT");
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }
  std::filesystem::path file() const { return root / "workbook" / "02_coalescing.cu"; }
  std::string text() const { return text_of(file()); }
  std::string draft() const { return text_of(root / "workbook/drafts/02_coalescing.cu"); }
};

}  // namespace

TEST_CASE("Typing brings the compiler's facts, and finding and listings do no harm",
          "[ui][window][code]") {
  const RealCourse course;
  const Desktop desktop;
  REQUIRE(desktop.usable());
  const auto script = course.root / "typing.klab";
  std::ofstream(script) << "size 1280x1000\nopen 2\npage code\nwait done\nkey F4 Ctrl+End\n"
                           "type // typed\nwait done\n"
                           "key Ctrl+F\ntype row\nkey Enter Esc\n"
                           "key Ctrl+P\nwait done\nkey Ctrl+P\nwait done\n"
                           "key Ctrl+G\ntype 12\nkey Enter\nwait done\nquit\n";
  const std::string said =
      output_of(KLAB_WORKBENCH " --show --statistics --script " + script.string());
  INFO(said);
  // The figures come last, after a sentence about what is kept.
  REQUIRE(said.find('{') != said.npos);
  const auto figures = nlohmann::json::parse(said.substr(said.find('{')), nullptr, false);
  REQUIRE(figures.is_object());
  CHECK(figures["facts"]["count"] >= 2);  // the file as it was, and what was typed
  CHECK(course.draft().find("// typed") != std::string::npos);
  CHECK(course.draft().find("12") == std::string::npos);
  CHECK(course.text() == text_of(KLAB_SOURCE_DIR "/kernels/02_coalescing/flawed.cu"));
}

}  // namespace klab::ui
