// How text is laid out on a terminal.
#include "cli/terminal/terminal.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/text.hpp"

using namespace klab;
using namespace klab::cli;

namespace {

Terminal screen_of(std::size_t columns) {
  Terminal terminal;
  terminal.screen = columns;
  terminal.columns = std::clamp(columns, narrowest_columns, widest_columns);
  return terminal;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  std::sort(words.begin(), words.end());
  return words;
}

}  // namespace

TEST_CASE("on a narrow screen the last column of text stands below its row", "[cli][views]") {
  Table table("rlll");
  table.add({{"02"}, {"coalescing"}, {"· not started"}, {"a sentence too long for it"}});
  table.add_line({"a heading"});
  Terminal terminal;
  CHECK(table.text(terminal) ==
        "  02  coalescing  · not started  a sentence too long for it\n  a heading\n");
  terminal.screen = terminal.columns = 40;
  CHECK(table.text(terminal) ==
        "  02  coalescing  · not started\n      a sentence too long for it\n  a heading\n");
}

TEST_CASE("columns without room stand below their row, lined up among themselves", "[cli][views]") {
  Table table("lrrl");
  table.add({{""}, {"flawed"}, {"optimized"}, {"source"}});
  table.add({{"Sectors per global load request"}, {"32"}, {"4"}, {"measured"}});
  table.add({{"Warps"}, {"1,024"}, {"2,048"}, {""}});
  CHECK(table.text(screen_of(40)) ==
        "      flawed  optimized  source\n"
        "  Sectors per global load request\n"
        "          32          4  measured\n"
        "  Warps\n"
        "       1,024      2,048\n");
}

TEST_CASE("a word wider than its column stands below its row, the others stay", "[cli][views]") {
  Table table("ll");
  table.add({{"lab"}, {"02-coalescing"}});
  table.add({{"digest"}, {std::string(34, 'a')}});
  CHECK(table.text(screen_of(40)) ==
        "  lab     02-coalescing\n  digest\n      " + std::string(34, 'a') + "\n");
  CHECK(table.text(screen_of(44)) ==
        "  lab     02-coalescing\n  digest  " + std::string(34, 'a') + "\n");
}

TEST_CASE("no row of any table leaves the screen, and none loses a word", "[cli][views]") {
  std::mt19937 random(7);
  const auto below = [&](std::size_t bound) { return random() % bound; };
  for (int i = 0; i < 500; ++i) {
    std::string alignment;
    for (std::size_t c = below(7) + 1; c > 0; --c) alignment += "lr"[below(2)];
    Table table(alignment, 2 * below(3));
    std::string all;
    for (std::size_t row = below(5) + 1; row > 0; --row) {
      std::vector<Cell> cells(below(8) == 0 ? 1 : alignment.size());
      for (Cell& cell : cells) {
        for (std::size_t words = below(9) == 0 ? 20 : below(4); words > 0; --words)
          cell.text += std::string(below(20) + 1, 'x') + (words > 1 ? " " : "");
        all += cell.text + " ";
      }
      table.add(std::move(cells));
    }
    for (const std::size_t columns : {40, 60, 80, 200}) {
      const std::string text = table.text(screen_of(columns));
      CAPTURE(alignment, columns, text);
      REQUIRE(words_of(text) == words_of(all));
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) REQUIRE(display_width(line) <= columns);
    }
  }
}

TEST_CASE("of what a kernel or the compiler printed no line fills the screen", "[cli][views]") {
  const std::string line(80'000, 'x');
  const std::string shown = beginning_of(screen_of(80), "short\n" + line + "\nlast\n", 40);
  CHECK(shown == "short\n" + std::string(longest_printed_line, 'x') + "...\nlast\n");
}

TEST_CASE("one thing is counted as one", "[cli][views]") {
  CHECK(counted(1, "line") == "1 line");
  CHECK(counted(2, "line") == "2 lines");
}

TEST_CASE("a help text is wrapped below its descriptions on a terminal alone", "[cli][views]") {
  const std::string help = "Verbs:\n  check     whether it is right, fast, for the reason\n";
  Terminal terminal;
  CHECK(hanging(terminal, help) == help);
  terminal.screen = terminal.columns = 40;
  CHECK(hanging(terminal, help) ==
        "Verbs:\n  check     whether it is right, fast,\n            for the reason\n");
  const std::string indent(30, ' ');
  CHECK(hanging(terminal, "  --a VALUE" + std::string(19, ' ') + "what it is\n" + indent +
                              "and more") == "  --a VALUE\n      what it is\n      and more");
}
