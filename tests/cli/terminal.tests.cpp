// How text is laid out on a terminal.
#include "cli/terminal/terminal.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace klab::cli;

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
