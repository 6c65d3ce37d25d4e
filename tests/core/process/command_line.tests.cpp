// A user's command becomes words, and no shell ever sees it.
#include "core/process/command_line.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab;
using Words = std::vector<std::string>;

TEST_CASE("a command is cut at blanks, and quotes keep blanks together", "[core][command_line]") {
  CHECK(*split_command("ssh host klab-runner-gpu") == Words{"ssh", "host", "klab-runner-gpu"});
  CHECK(*split_command("  ssh\t-p 22 'my host'  ") == Words{"ssh", "-p", "22", "my host"});
  CHECK(*split_command(R"(a "b 'c' \" d"e 'f\g' h\ i)") ==
        Words{"a", "b 'c' \" de", "f\\g", "h i"});
  CHECK(*split_command("a '' \"\"") == Words{"a", "", ""});
  CHECK(*split_command("a; b && $(c) *") == Words{"a;", "b", "&&", "$(c)", "*"});
}

TEST_CASE("no word and an open quote are usage errors", "[core][command_line]") {
  for (const char* text : {"", "  ", "ssh 'host", "ssh \"host"}) {
    const auto words = split_command(text);
    REQUIRE_FALSE(words);
    CHECK(words.error().code == ErrorCode::usage);
    CHECK(shell_words(words.error().remedy).find("ssh host") != std::string::npos);
  }
}
