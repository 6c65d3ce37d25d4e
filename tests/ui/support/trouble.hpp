// What the tests of a window in trouble share: a course of their own, and a runner that misbehaves.
#pragma once

#include <sys/stat.h>

#include <fstream>
#include <optional>
#include <string>

#include "core/wire/protocol.hpp"
#include "ui/support/desktop.hpp"

namespace klab::ui {

namespace fs = std::filesystem;

inline int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// The sample course with its drafts kept inside it.
struct Course {
  SampleCourse files;
  Variable root_is{"KLAB_ROOT", files.root().string()};
  Variable state_is{"XDG_STATE_HOME", (files.root() / "state").string()};
  fs::path root() const { return files.root(); }
  fs::path mine() const { return root() / "workbook" / "02_coalescing.cu"; }
  fs::path drafts() const { return root() / "workbook" / "drafts"; }
  std::string journal() const { return text_of(root() / "workbook" / "journal.jsonl"); }
  int attempts() const { return count_of(journal(), "\"kind\":\"attempt\""); }
  /// Lab 02 started, with its questions settled, as a learner left it.
  void start_second_lab() const {
    fs::create_directories(mine().parent_path());
    fs::copy_file(root() / "kernels/02_coalescing/flawed.cu", mine());
    std::ofstream(root() / "workbook" / "journal.jsonl")
        << R"({"kind":"prediction","number":1,"lab":"02-coalescing","answers":[1,1]})" << '\n';
  }
};

/// Has a script's `read` keep the request, and its `echo` begin each line with the request's
/// secret, as a runner does.
inline const std::string as_a_runner =
    "ask() {\n"
    "  [ -n \"$secret\" ] && return\n"
    "  command read -r request\n"
    "  secret=$(printf %s \"$request\" | sed 's/.*\"secret\":\"\\([0-9a-f]*\\)\".*/\\1/')\n"
    "}\n"
    "read() { ask; }\n"
    "echo() { ask; printf '%s%s\\n' \"$secret\" \"$1\"; }\n";

/// A build tree whose runner for the GPU is this script.
struct FakeRunner {
  fs::path build;
  std::optional<Variable> build_is;
  FakeRunner(const fs::path& folder, const std::string& script) : build(folder / "build") {
    fs::create_directories(build / "bin");
    const auto runner = build / "bin" / "klab-runner-gpu";
    std::ofstream(runner) << "#!/bin/sh\n" << as_a_runner << script;
    ::chmod(runner.c_str(), 0755);
    build_is.emplace("KLAB_BUILD", build.string());
  }
};

inline const std::string hello = R"(echo '{"type":"hello","protocol":)" +
                                 std::to_string(protocol_version) +
                                 R"(,"backend":"gpu"}' >&3)"
                                 "\n";
inline const std::string device =
    R"(echo '{"type":"device","facts":{"name":"A GPU","compute_capability":90,"driver":"1"}}' >&3)"
    "\n";

/// Where the draft or the file holds `words`.
inline bool holds(const fs::path& folder, const std::string& words) {
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ignored))
    if (entry.is_regular_file(ignored) && entry.path().extension() == ".cu" &&
        text_of(entry.path()).find(words) != std::string::npos)
      return true;
  return false;
}

/// Code of the open lab, with the caret in the editor, and `words` typed there. The caret is known
/// to be there once a first letter has arrived; from then on keys are taken in their order.
inline void type_into_editor(const Course& course, const Desktop& desktop,
                             const std::string& words) {
  // Another one for each call: the file may still hold the last one.
  static int calls = 0;
  const std::string probe = "q" + std::to_string(++calls) + "q";
  bool arrived = false;
  for (const auto patience : patiences) {
    desktop.key("F4");
    output_of("xdotool type --delay 20 '" + probe + "'");
    arrived = comes_true([&] { return holds(course.root(), probe); }, patience + 2s);
    if (arrived) break;
  }
  REQUIRE(arrived);
  output_of("xdotool type --delay 20 '" + words + "'");
}

}  // namespace klab::ui
