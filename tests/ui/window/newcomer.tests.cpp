// A newcomer's first lab in the window, by keyboard alone and without a GPU.
#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "core/build/toolchain.hpp"
#include "ui/support/real_course.hpp"
#include "ui/support/trouble.hpp"

namespace klab::ui {
namespace {

/// The journal's entries of one kind, oldest first.
std::vector<nlohmann::json> entries_of(const RealCourse& course, const std::string& kind) {
  std::vector<nlohmann::json> found;
  std::istringstream lines(course.journal());
  for (std::string line; std::getline(lines, line);)
    if (const auto entry = nlohmann::json::parse(line, nullptr, false);
        entry.is_object() && entry.value("kind", "") == kind)
      found.push_back(entry);
  return found;
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  return text;
}

/// A fix as somebody types it, who leaves the blanks at the beginning of a line to the editor.
std::string fix_to_type() {
  std::ifstream file(KLAB_SOURCE_DIR "/solutions/02_coalescing/fair_element_per_thread.cu");
  std::string typed, line;
  std::getline(file, line);  // what the gallery says of it
  while (std::getline(file, line))
    typed += line.substr(std::min(line.find_first_not_of(' '), line.size())) + "\n";
  return typed;
}

}  // namespace

TEST_CASE("A newcomer takes lab 02 in the window, by keyboard alone", "[ui][window][newcomer]") {
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  const RealCourse course;
  const Variable no_gpu("CUDA_VISIBLE_DEVICES", "");
  const Variable state("XDG_STATE_HOME", (course.root / "state").string());
  OpenWorkbench open({"--lab", "2", "--size", "1280x800"}, "02-coalescing");
  const Desktop& desktop = open.desktop;
  const auto attempts = [&] { return entries_of(course, "attempt"); };

  REQUIRE(press_until_true(desktop, "F5", [&] { return fs::exists(course.file()); }));
  REQUIRE(course.text() == text_of(course.root / "kernels/02_coalescing/flawed.cu"));
  // It asks before it measures; the answers are the first of each question.
  REQUIRE(press_until_true(desktop, "1 1 1 F5",
                           [&] { return !entries_of(course, "prediction").empty(); }));
  REQUIRE(comes_true([&] { return !attempts().empty(); }, 300s));
  REQUIRE(desktop.title_holds("fail - 02-coalescing"));
  CHECK(attempts()[0]["verdict"] == "fail");
  desktop.key("F2");
  CHECK(comes_true([&] { return entries_of(course, "hint").size() == 1; }, 30s));

  // The fix in place of everything, typed once a first letter has arrived.
  REQUIRE(press_until_true(desktop, "F4 q", [&] { return !course.draft().empty(); }));
  desktop.key("ctrl+a");
  std::istringstream lines(fix_to_type());
  for (std::string line; std::getline(lines, line);)
    output_of("xdotool type --delay 20 '" + line + "'; xdotool key Return");
  const std::string fix = without_blanks(fix_to_type());
  CHECK(comes_true([&] { return without_blanks(course.draft()) == fix; }, 60s));
  CAPTURE(course.draft());
  REQUIRE(without_blanks(course.draft()) == fix);
  desktop.key("ctrl+s");
  REQUIRE(comes_true([&] { return attempts().size() == 2; }, 300s));
  CHECK(without_blanks(course.text()) == fix);
  CHECK(desktop.title_holds("passed provisionally - 02-coalescing"));
  for (const auto& gate : attempts()[1]["gates"]) {
    CAPTURE(gate.dump());
    // Of the same work only the operations can be counted here, not the time that it takes.
    if (gate["name"] == "same work")
      CHECK(gate["outcome"] != "fail");
    else
      CHECK(gate["outcome"] == (gate["name"] == "time" ? "not checkable here" : "pass"));
  }
  open.quit();
  CHECK(without_blanks(course.text()) == fix);
}

}  // namespace klab::ui
