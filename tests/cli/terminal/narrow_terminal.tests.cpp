// Every verb that prints a table, on terminals of several widths: no row leaves one.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <regex>
#include <sstream>

#include "cli/terminal/on_terminal.hpp"
#include "core/base/text.hpp"

using namespace klab;
using namespace klab::test;

namespace {

/// Wider than it leaves room for, further in, on any screen: it stands as it is.
bool has_wide_word(const std::string& line, std::size_t columns) {
  constexpr std::size_t deepest = 8;
  std::istringstream words(line);
  for (std::string word; words >> word;)
    if (display_width(word) + deepest > columns) return true;
  return false;
}

void check_width(const std::string& out, int columns) {
  const auto most = static_cast<std::size_t>(columns);
  std::istringstream lines(std::regex_replace(out, std::regex("\033\\[[0-9;]*m|\r"), ""));
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(columns, line);
    CHECK((display_width(line) <= most || has_wide_word(line, most)));
  }
}

}  // namespace

TEST_CASE("no table leaves the terminal, whatever its width", "[cli][output]") {
  const Program klab;
  if (!has_terminals(klab)) SKIP("no script");
  klab.folder.write("workbook/journal.jsonl",
                    attempt_line(1, "02-coalescing", "fail", "a\n", "b") +
                        attempt_line(2, "02-coalescing", "not checkable", "a\n", "b"));
  const std::vector<std::vector<std::string>> own = {
      {"list"},
      {"start", "1"},
      {"reset", "1"},
      {"predict", "2"},
      {"metrics"},
      {"doctor"},
      {"journal", "list"},
      {"journal", "show", "1"},
      {"journal", "calibration"},
      {"device", "--backend", "sim"},
      {"occupancy", "--registers", "64", "--block", "200"}};
  for (const auto& words : own)
    for (const int columns : {40, 80, 200}) {
      CAPTURE(words);
      check_width(on_terminal(klab, "PAGER=", klab.with_program(words), columns), columns);
    }
}

TEST_CASE("nor does a table of what was recorded", "[cli][output][whole]") {
  const Program klab;
  if (!has_terminals(klab)) SKIP("no script");
  for (const std::string verb : {"diagnose", "stalls", "roofline", "compare", "trace", "sweep"})
    for (const int columns : {40, 80, 200}) {
      const std::string out = on_terminal(
          klab, "PAGER=", {Program::program(), "--root", KLAB_SOURCE_DIR, verb, "2", "--recorded"},
          columns);
      CAPTURE(verb);
      CHECK(std::count(out.begin(), out.end(), '\n') > 5);
      check_width(out, columns);
    }
}
