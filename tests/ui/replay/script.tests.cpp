// Scripts of the window: every act is read, and every mistake names its line.
#include "ui/replay/script.hpp"

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <regex>
#include <set>
#include "support/in_full.hpp"

namespace klab::ui {
namespace {

std::string mistake(const std::string& text) {
  const auto steps = parse_script(text, "a.klab");
  REQUIRE_FALSE(steps);
  CHECK(steps.error().code == ErrorCode::usage);
  CHECK_FALSE(steps.error().remedy.empty());
  return steps.error().what;
}

}  // namespace

TEST_CASE("A script's acts are read in order with their words", "[ui][script]") {
  const auto steps = parse_script(
      "# a comment\nworkbook fresh\n\n  open 02  \r\npage Roofline\nkey F5 Ctrl+S\n"
      "type float x = 1;\nwait done\nwait 2.5\nscreenshot a b.png\nsize 1280x800\ntheme dark\n"
      "zoom 1.5\nreplay r.jsonl until 3.5\nreplay r.jsonl\ninvestigate sweep\npresent on\n"
      "expect 02-coalescing\nquit",
      "a.klab");
  if (!steps) FAIL(klab::test::in_full(steps.error()));
  REQUIRE(steps->size() == 17);
  const auto at = [&](std::size_t i) -> const ScriptStep& { return (*steps)[i]; };
  CHECK(at(1).text == "02");
  CHECK(at(1).line == 4);
  CHECK(at(2).page == Page::roofline);
  CHECK(at(3).text == "F5 Ctrl+S");
  CHECK(at(4).text == "float x = 1;");
  CHECK_FALSE(at(5).number);
  CHECK(at(6).number == 2.5);
  CHECK(at(8).width == 1280);
  CHECK(at(8).height == 800);
  CHECK(at(11).text == "r.jsonl");
  CHECK(at(11).number == 3.5);
  CHECK_FALSE(at(12).number);
  CHECK(at(13).investigation == InvestigationKind::sweep);
  CHECK(at(16).line == 19);
}

TEST_CASE("A mistake in a script names file, line and what was wanted", "[ui][script]") {
  CHECK(mistake("open 02\nopne 03\n").starts_with("a.klab:2: there is no act \"opne\""));
  CHECK(parse_script("opne 03", "a").error().remedy == "Did you mean open?");
  CHECK(mistake("page nowhere").find("a page such as") != std::string::npos);
  CHECK(mistake("key F5 Hyper+S").find("\"Hyper\"") != std::string::npos);
  CHECK(mistake("size 12x800").find("1280x800") != std::string::npos);
  CHECK(mistake("open 1\nworkbook fresh").find("first") != std::string::npos);
  for (const char* text :
       {"open", "key", "type", "screenshot", "expect", "wait", "wait long", "wait -1", "wait 1e9",
        "theme pink", "zoom 9", "present maybe", "replay", "replay r until x",
        "investigate gravity", "quit now", "workbook mine"}) {
    CAPTURE(text);
    CHECK(mistake(text).starts_with("a.klab:1: "));
  }
}

TEST_CASE("The documentation lists every act of a script, and no other", "[ui][script]") {
  std::ifstream file(KLAB_SOURCE_DIR "/docs/teaching.md");
  std::set<std::string> listed;
  bool in_table = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| act |")) in_table = true;
    if (line.empty()) in_table = false;
    static const std::regex act("`([a-z]+)");
    const std::string first_cell = line.substr(0, line.find('|', 1));
    for (std::sregex_iterator it(first_cell.begin(), first_cell.end(), act), end;
         in_table && it != end; ++it)
      listed.insert((*it)[1]);
  }
  const auto known = script_acts();
  CHECK(listed == std::set<std::string>(known.begin(), known.end()));
}

TEST_CASE("Every picture of the documentation is drawn by a script", "[ui][script]") {
  namespace fs = std::filesystem;
  std::set<fs::path> pictures, drawn;
  for (const auto& entry : fs::recursive_directory_iterator(KLAB_SOURCE_DIR "/docs")) {
    if (entry.path().extension() == ".png") pictures.insert(entry.path());
    if (entry.path().extension() != ".klab") continue;
    const auto steps = read_script(entry.path());
    REQUIRE(steps);
    for (const ScriptStep& step : *steps)
      if (step.act == ScriptStep::Act::screenshot)
        drawn.insert(entry.path().parent_path() / step.text);
  }
  CHECK(pictures.size() > 2);
  CHECK(pictures == drawn);
}

TEST_CASE("Sizes are read exactly", "[ui][script]") {
  CHECK(parse_size("640x480") == std::pair(640, 480));
  CHECK(parse_size("7680x4320"));
  for (const char* text : {"", "x", "640", "640x", "x480", "640x480x", " 640x480", "640X480",
                           "319x480", "640x239", "9999x9999", "1e3x800", "-640x480"})
    CHECK_FALSE(parse_size(text));
}

}  // namespace klab::ui
