// Where output goes: a full device, a terminal that obeys nothing, a pager, hostile text.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/terminal/json_output.hpp"
#include "cli/terminal/on_terminal.hpp"
#include "cli/verbs/check_session.hpp"
#include "cli/views/verdict_view.hpp"
#include "support/says.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("output that cannot be written is an error, not silence", "[cli][output]") {
  if (::access("/dev/full", W_OK) != 0) SKIP("no /dev/full on this system");
  const Program klab;
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"list"},
                                                    {"list", "--json"},
                                                    {"lesson", "2"},
                                                    {"journal", "export"},
                                                    {"metrics"},
                                                    {"--help"}}) {
    CAPTURE(arguments.front());
    const auto run =
        klab.run_command({"sh", "-c", quoted(klab.with_program(arguments)) + " > /dev/full"});
    CHECK(run.exit_code == 2);
    CHECK_THAT(run.err, Says("No space left on device"));
  }
}

TEST_CASE("a wrong command line is JSON too where JSON was asked for", "[cli][output]") {
  const Program klab;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list", "--json", "--nonsense"},
        {"check", "--json"},
        {"check", "2", "--json", "extra"},
        {"journal", "list", "no-lab", "--json"},
        {"device", "--backend", "sim", "--measure", "--json"},
        {"hint", "2", "--json"},
        {"chek", "2", "--json"},
        {"list", "--json", "--root", "/nonexistent"}}) {
    const auto refused = klab.run(words);
    CAPTURE(words);
    CHECK(refused.exit_code == 2);
    CHECK(parse(refused.out)["error"]["code"] == "usage");
    CHECK_FALSE(refused.err.empty());
  }
  // What stands behind a program is the program's.
  CHECK(klab.run({"sim", "/nonexistent", "--json"}).out.empty());
}

TEST_CASE("who closes the pipe has read enough, whatever the verb started before",
          "[cli][output]") {
  const Program klab;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list"}, {"check", "2", "--variant", "flawed"}, {"doctor"}}) {
    CAPTURE(words);
    const auto closed =
        klab.run_command({"bash", "-c",
                          "exec 3> >(exec true); wait $!; " + quoted(klab.with_program(words)) +
                              " >&3; echo \"status $?\" >&2"});
    CHECK_THAT(closed.err, Says("status 141") && !Says("error"));
  }
}

TEST_CASE("TERM=dumb gets no escapes, a terminal gets colour", "[cli][output]") {
  const Program klab;
  const auto shown = [&](const std::string& variables, const std::vector<std::string>& arguments) {
    return on_terminal(klab, variables, klab.with_program(arguments));
  };
  if (!has_terminals(klab)) SKIP("no script");
  CHECK(shown("PAGER=cat", {"list"}).find('\033') != std::string::npos);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"list"}, {"lesson", "2"}, {"check", "2", "--variant", "flawed"}})
    for (const char* kind : {"TERM=dumb PAGER=cat", "TERM= PAGER=cat"})
      CHECK(shown(kind, arguments).find('\033') == std::string::npos);
}

TEST_CASE("long prose goes through the pager on a terminal, and short prose does not",
          "[cli][output]") {
  const Program klab;
  if (!has_terminals(klab)) SKIP("no script");
  const auto shown = [&](const std::string& variables, const std::vector<std::string>& arguments) {
    return on_terminal(klab, variables, klab.with_program(arguments));
  };
  const std::string pager = "PAGER='sed s/^/paged:/'";
  CHECK_THAT(shown(pager, {"metrics"}), ContainsSubstring("paged:"));
  CHECK(shown(pager, {"hint", "2"}).find("paged:") == std::string::npos);
  // A pager that is not there loses nothing.
  CHECK_THAT(shown("PAGER=no-such-pager", {"metrics"}),
             ContainsSubstring("global_load_sectors_per_request"));
  CHECK(klab.run({"metrics"}).out.find("paged:") == std::string::npos);
}

TEST_CASE("hostile text reaches no terminal, and JSON keeps its value", "[cli][output]") {
  const Program klab;
  // U+009B begins a sequence on some terminals, as ESC [ does.
  write_lab(klab.folder, "03_evil",
            replaced(example_lab_toml, "title = \"Rows", "title = \"\u009b31mRows"));
  const std::string listed = klab.run({"list", "--json"}).out;
  CHECK(listed.find("\xc2\x9b") == std::string::npos);
  CHECK(parse(listed)[2]["title"] ==
        "\xc2\x9b"
        "31mRows and columns");
  const std::string file = (klab.folder.path() / "a\033[31mb.md").string();
  const auto exported = klab.run({"journal", "export", "--output", file});
  CHECK(exported.exit_code == 0);
  CHECK(exported.out.find('\033') == std::string::npos);
  CHECK(cli::terminal_safe("\"\x7f\xc2\x85\"") == "\"\\u007f\\u0085\"");
}

TEST_CASE("tables, paragraphs and colours remove what a record smuggles in", "[cli][output]") {
  cli::Terminal terminal;
  terminal.colour = true;
  cli::Table table("l");
  table.add({{"a\033[8mb"}});
  CHECK_THAT(table.text(terminal), ContainsSubstring("a[8mb"));
  CHECK(cli::paragraph(terminal, "x\033]0;title\007", 0).find('\007') == std::string::npos);
  CHECK(terminal.paint(cli::Tone::plain, "\033[2J") == "[2J");
}

TEST_CASE("a verb that only a GPU can serve recommends no simulator", "[cli][device]") {
  const Error plain = make_error(ErrorCode::no_device, "No GPU.");
  CHECK_THAT(shell_words(plain.remedy), Says("--backend sim"));
  CHECK(shell_words(cli::without_simulator(plain).remedy).find("--backend") == std::string::npos);
  const Program klab;
  const auto simulator = klab.run({"device", "--backend", "sim"});
  CHECK(simulator.exit_code == 0);
  CHECK_THAT(simulator.out, Says("never times"));
  CHECK(parse(klab.run({"device", "--backend", "sim", "--json"}).out)["device"]["simulated"] ==
        true);
  CHECK(klab.run({"device", "--backend", "sim", "--measure"}).exit_code == 2);
}

TEST_CASE("what a kernel printed is shown, bounded and with its control bytes escaped",
          "[cli][views]") {
  CheckResult result;
  result.printed.text = "i = 3\r\n\033[2Jx\n";
  const std::string shown = cli::view_result({}, result);
  CHECK_THAT(shown, ContainsSubstring("It printed\n    i = 3\n    \\x1b[2Jx\n"));
  CHECK(shown.find('\033') == std::string::npos);
  for (int i = 0; i < 1000; ++i) result.printed.text += "line\n";
  result.printed.left_out_bytes = 5'000'000;
  const std::string bounded = cli::view_compact({}, result);
  CHECK(std::count(bounded.begin(), bounded.end(), '\n') < 15);
  CHECK_THAT(bounded, Says("MB more"));
  CHECK(cli::view_result({}, CheckResult()).find("printed") == std::string::npos);
}

TEST_CASE("a compiler's long log does not push the verdict off the screen", "[cli][views]") {
  std::string log;
  for (int i = 0; i < 500; ++i) log += "x.cu(" + std::to_string(i) + "): error: no\n";
  CheckResult result;
  result.errors.push_back(make_error(ErrorCode::build_failed, "x.cu:0: no", {}, log));
  const std::string shown = cli::view_result({}, result);
  CHECK(std::count(shown.begin(), shown.end(), '\n') < 60);
  CHECK_THAT(shown, Says("x.cu(0): error: no") && Says("kB more"));
}
