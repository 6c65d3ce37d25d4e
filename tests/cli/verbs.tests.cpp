// The learner's verbs, run as a learner runs them.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/program.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text.hpp"
#include "support/says.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("every verb explains itself", "[cli][help]") {
  const Program klab;
  const auto help = klab.run({"--help"});
  CHECK(help.exit_code == 0);
  for (const std::string verb :
       {"list",      "start",   "hint",   "check",    "watch",   "compare",   "profile", "trace",
        "occupancy", "device",  "doctor", "solution", "reset",   "lesson",    "predict", "build",
        "course",    "metrics", "bench",  "man",      "journal", "completion"}) {
    CHECK_THAT(help.out, ContainsSubstring("\n  " + verb + " "));
    const auto own = klab.run({verb, "--help"});
    CHECK(own.exit_code == 0);
    CHECK(own.out.size() > 40);
  }
}

TEST_CASE("what is not built or not recorded is said with what to do", "[cli][help]") {
  const Program klab;
  const auto bench = klab.run({"bench", "--simulator"});
  CHECK(bench.exit_code == 1);
  CHECK_THAT(bench.err, Says("--target klab-simulator-bench"));
  // This course has no plan of what to compare.
  const auto agree = klab.run({"course", "agree", "--backend", "sim"});
  CHECK(agree.exit_code == 2);
  CHECK_THAT(agree.err, ContainsSubstring("plan.json"));
}

TEST_CASE("the version names commit, toolkit and what it was built for", "[cli][help]") {
  const Program klab;
  const auto version = klab.run({"--version"});
  CHECK(version.exit_code == 0);
  CHECK_THAT(version.out, Says("built with CUDA 13."));
  CHECK_THAT(version.out, ContainsSubstring("compute capability 9.0, PTX for 7.5, 8.0, 9.0\n"));
  const auto git = run_process({.command = {"git", "-C", KLAB_SOURCE_DIR, "rev-parse", "HEAD"}});
  if (!git || git->exit_code != 0) SKIP("the sources are in no git repository");
  CHECK_THAT(version.out, ContainsSubstring("commit " + git->out.substr(0, 12)));
}

TEST_CASE("a wrong command line is exit code 2 with what to do", "[cli][help]") {
  const Program klab;
  const auto verb = klab.run({"chekc"});
  CHECK(verb.exit_code == 2);
  CHECK(verb.out.empty());
  CHECK_THAT(verb.err, Says("Did you mean check?") && Says("\"klab chekc\""));
  CHECK(klab.run({}).exit_code == 2);
  CHECK(klab.run({"check"}).exit_code == 2);
  const auto option = klab.run({"check", "2", "--fast"});
  CHECK(option.exit_code == 2);
  CHECK_THAT(option.err, Says("klab check --help"));
  const auto lab = klab.run({"start", "coalesing"});
  CHECK(lab.exit_code == 2);
  CHECK_THAT(lab.err, Says("Did you mean coalescing?"));
  CHECK(klab.run({"check", "2", "--file", "x.cu", "--variant", "flawed"}).exit_code == 2);
}

TEST_CASE("a folder without a course is said to be none", "[cli][help]") {
  const TemporaryFolder empty;
  const Program klab;
  const auto result =
      klab.run_command({Program::program(), "--root", empty.path().string(), "list"});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, Says("no folder labs/"));
}

TEST_CASE("list --json is an array of what a lab is and how far the learner is", "[cli][list]") {
  const Program klab;
  auto labs = parse(klab.run({"list", "--json"}).out);
  REQUIRE(labs.size() == 2);
  CHECK(labs[1] == nlohmann::json{{"id", "02-coalescing"},
                                  {"slug", "coalescing"},
                                  {"title", "Rows and columns"},
                                  {"category", "memory"},
                                  {"builds_on", nlohmann::json::array()},
                                  {"status", "not started"}});
  REQUIRE(klab.run({"start", "2"}).exit_code == 0);
  CHECK(parse(klab.run({"list", "--json"}).out)[1]["status"] == "started");
  klab.folder.write("workbook/journal.jsonl", attempt_line(1, "02-coalescing", "fail", "", ""));
  CHECK(parse(klab.run({"list", "--json"}).out)[1]["status"] == "failing");
  klab.folder.write("workbook/journal.jsonl", attempt_line(1, "02-coalescing", "pass", "", ""));
  CHECK(parse(klab.run({"list", "--json"}).out)[1]["status"] == "passed");
}

TEST_CASE("list names the labs that one builds on, and the next one to start", "[cli][list]") {
  const Program klab;
  write_lab(klab.folder, "06_transpose", "builds_on = [2]\n" + example_lab_toml);
  CHECK_THAT(klab.run({"list"}).out, Says("Builds on lab 02.") && Says("Next: `./klab start div"));
  klab.folder.write("workbook/journal.jsonl", attempt_line(1, "01-divergence", "pass", "", "") +
                                                  attempt_line(2, "02-coalescing", "pass", "", ""));
  CHECK_THAT(klab.run({"list"}).out, Says("Next: `./klab start transpose`"));
}

TEST_CASE("list counts a provisional pass as the window does", "[cli][list]") {
  const Program klab;
  auto entry = parse(attempt_line(1, "02-coalescing", "not checkable here", "", ""));
  entry["gates"] = {{{"name", "correct"}, {"outcome", "pass"}},
                    {{"name", "cause"}, {"outcome", "pass"}},
                    {{"name", "time"}, {"outcome", "not checkable here"}}};
  klab.folder.write("workbook/journal.jsonl", entry.dump() + "\n");
  const std::string listed = klab.run({"list"}).out;
  CHECK_THAT(listed, Says("0 of 2 labs passed, 1 provisionally"));
  CHECK_THAT(listed, Says("◐ passed provisionally"));
}

TEST_CASE("list shows the good labs beside a broken one, whose error it names", "[cli][list]") {
  const Program klab;
  write_lab(klab.folder, "03_broken", "title = 3\n");
  const auto result = klab.run({"list"});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.out, ContainsSubstring("coalescing"));
  CHECK_THAT(result.err, Says("labs/03_broken/lab.toml:1: `title` must be text"));
  CHECK(klab.run({"check", "broken"}).exit_code == 2);
}

TEST_CASE("output to a pipe has no colour and fits a hundred columns", "[cli][list]") {
  const Program klab;
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"list"},
                                                    {"lesson", "2"},
                                                    {"start", "2"},
                                                    {"hint", "2"},
                                                    {"doctor"},
                                                    {"occupancy"},
                                                    {"predict", "2", "--answer", "1"}}) {
    const std::string out = klab.run(arguments).out;
    CAPTURE(arguments[0], out);
    CHECK(!out.empty());
    CHECK(out.find('\033') == std::string::npos);
    std::size_t from = 0;
    for (std::size_t end; (end = out.find('\n', from)) != std::string::npos; from = end + 1)
      CHECK(display_width(out.substr(from, end - from)) <= 100);
  }
}

TEST_CASE("text of a lab cannot drive the terminal", "[cli][list]") {
  const Program klab;
  write_lab(klab.folder, "03_evil",
            replaced(example_lab_toml, "summary = \"A sum", "summary = \"\\u001b[2JA sum"));
  klab.folder.write("labs/03_evil/lesson.md", "# Title \033[2J\n\n`\033]0;x\007`\n");
  CHECK(klab.run({"list"}).out.find('\033') == std::string::npos);
  CHECK(klab.run({"lesson", "evil"}).out.find('\033') == std::string::npos);
}

TEST_CASE("start never overwrites, and says how to start over", "[cli][start]") {
  const Program klab;
  const auto first = klab.run({"start", "coal"});
  CHECK(first.exit_code == 0);
  CHECK_THAT(first.out, ContainsSubstring("workbook/02_coalescing.cu"));
  klab.folder.write("workbook/02_coalescing.cu", "my work");
  const auto second = klab.run({"start", "coal"});
  CHECK(second.exit_code == 0);
  CHECK_THAT(second.out, Says("left as it is") || Says("left as it was"));
  CHECK_THAT(second.out, Says("klab reset coalescing"));
  CHECK(klab.folder.read("workbook/02_coalescing.cu") == "my work");
}

TEST_CASE("a workbook that cannot be written is a sentence with a remedy", "[cli][start]") {
  const Program klab;
  klab.folder.write("workbook", "a file in the way");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"start", "2"}, {"doctor"}}) {
    const auto result = klab.run(arguments);
    CHECK(result.exit_code != 0);
    CHECK_THAT(result.out + result.err, ContainsSubstring("workbook"));
    CHECK_THAT(result.out + result.err, ContainsSubstring("→"));
  }
}

TEST_CASE("hints come one at a time and are remembered", "[cli][hint]") {
  const Program klab;
  const auto first = klab.run({"hint", "2"});
  CHECK_THAT(first.out, Says("Hint 1 of 3"));
  CHECK_THAT(first.out, !Says("Hint 2"));
  CHECK_THAT(klab.run({"hint", "2"}).out, Says("Hint 2 of 3"));
  CHECK_THAT(klab.run({"hint", "2"}).out, Says("Swap the loops"));
  CHECK_THAT(klab.run({"hint", "2"}).out, Says("last hint"));
  CHECK_THAT(klab.run({"hint", "1"}).out, Says("Hint 1 of 3"));
}

TEST_CASE("the solution is kept until the lab is passed, or given up", "[cli][solution]") {
  const Program klab;
  const auto refused = klab.run({"solution", "2"});
  CHECK(refused.exit_code == 2);
  CHECK(refused.out.empty());
  CHECK_THAT(refused.err, ContainsSubstring("--give-up"));
  const auto shown = klab.run({"solution", "2", "--give-up"});
  CHECK(shown.exit_code == 0);
  CHECK_THAT(shown.out, Says("int optimized;"));
  CHECK_THAT(shown.out, Says("Fewer sectors"));
  const std::string noted = klab.folder.read("workbook/journal.jsonl");
  CHECK_THAT(noted, ContainsSubstring("\"solution\""));
  // Who has given up need not say so again.
  CHECK(klab.run({"solution", "2"}).exit_code == 0);
  CHECK(klab.folder.read("workbook/journal.jsonl") == noted);
  klab.folder.write("workbook/journal.jsonl", attempt_line(1, "02-coalescing", "pass", "", ""));
  CHECK(klab.run({"solution", "2"}).exit_code == 0);
}

TEST_CASE("reset keeps the learner's version", "[cli][reset]") {
  const Program klab;
  CHECK(klab.run({"reset", "2"}).exit_code == 2);
  REQUIRE(klab.run({"start", "2"}).exit_code == 0);
  klab.folder.write("workbook/02_coalescing.cu", "my work");
  const auto result = klab.run({"reset", "2"});
  CHECK(result.exit_code == 0);
  CHECK(klab.folder.read("workbook/02_coalescing.cu") == flawed_kernel);
  const std::size_t at = result.out.find("workbook/kept/");
  REQUIRE(at != std::string::npos);
  CHECK(klab.folder.read(result.out.substr(at, result.out.find(".cu", at) + 3 - at)) == "my work");
}

TEST_CASE("the lesson is text with its facts filled in", "[cli][lesson]") {
  const Program klab;
  const auto result = klab.run({"lesson", "2"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Says("Reach 5 times the speed in workbook/02_coalescing.cu"));
  klab.folder.write("labs/02_coalescing/lesson.md", "one\n{{nothing}}\n");
  const auto broken = klab.run({"lesson", "2"});
  CHECK(broken.exit_code == 2);
  CHECK_THAT(broken.err, ContainsSubstring("lesson.md:2"));
}

TEST_CASE("predictions are recorded, by answers given or asked for", "[cli][predict]") {
  const Program klab;
  CHECK(klab.run({"predict", "2", "--answer", "2"}).exit_code == 0);
  CHECK_THAT(klab.folder.read("workbook/journal.jsonl"), ContainsSubstring("\"answers\":[1]"));
  const auto asked = klab.run({"predict", "2"}, "nonsense\n7\n1\n");
  CHECK(asked.exit_code == 0);
  CHECK_THAT(asked.out, !Says("Neighbouring threads are a row apart"));
  CHECK_THAT(klab.folder.read("workbook/journal.jsonl"), ContainsSubstring("\"answers\":[0]"));
  CHECK_THAT(asked.out, Says("\"nonsense\" is none of the choices."));
  // Without an answer, by Enter or at the end of the input, what was predicted before stays.
  const std::string before = klab.folder.read("workbook/journal.jsonl");
  for (const char* input : {"", "\n"}) {
    const auto skipped = klab.run({"predict", "2"}, input);
    CHECK(skipped.exit_code == 0);
    CHECK_THAT(skipped.out, Says("Nothing was answered, so nothing is recorded."));
  }
  CHECK(klab.folder.read("workbook/journal.jsonl") == before);
  // An answer may end as on other systems.
  CHECK(klab.run({"predict", "2"}, "2 \r\n").exit_code == 0);
  CHECK_THAT(klab.folder.read("workbook/journal.jsonl"), !ContainsSubstring("\"answers\":[-1]"));
  CHECK(klab.run({"predict", "2", "--answer", "3"}).exit_code == 2);
  CHECK(klab.run({"predict", "2", "--answer", "1", "--answer", "1"}).exit_code == 2);
}

TEST_CASE("a prediction that could not be written is not said to be recorded", "[cli][predict]") {
  const Program klab;
  std::filesystem::create_directories(klab.folder.path() / "workbook/journal.jsonl");
  const auto result = klab.run({"predict", "2", "--answer", "1"});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, ContainsSubstring("journal.jsonl"));
  CHECK_THAT(result.out, !Says("Recorded."));
}

TEST_CASE("the journal lists, shows, restores and exports attempts", "[cli][journal]") {
  const Program klab;
  const std::string source = "// attempt one → ünïcödé\n";
  klab.folder.write("workbook/journal.jsonl",
                    attempt_line(1, "02-coalescing", "fail", source, sha256(source)) +
                        "a stranger's line\n" +
                        attempt_line(2, "01-divergence", "pass", "other", "not its digest"));
  klab.folder.write("workbook/02_coalescing.cu", "present work");

  const auto list = klab.run({"journal", "list", "2"});
  CHECK_THAT(list.out, ContainsSubstring("02-coalescing"));
  CHECK(list.out.find("01-divergence") == std::string::npos);
  CHECK_THAT(list.err, ContainsSubstring("journal.jsonl:2"));
  CHECK(parse(klab.run({"journal", "list", "--json"}).out).size() == 2);
  CHECK_THAT(klab.run({"journal", "show", "1"}).out, Says("attempt one"));
  CHECK(klab.run({"journal", "show", "9"}).exit_code == 2);
  CHECK_THAT(klab.run({"journal", "export"}).out, Says("| 1 | 2026-11-21"));

  const auto restored = klab.run({"journal", "restore", "1"});
  CHECK(restored.exit_code == 0);
  CHECK(klab.folder.read("workbook/02_coalescing.cu") == source);
  CHECK_THAT(restored.out, ContainsSubstring("workbook/kept/"));
  CHECK_THAT(klab.run({"journal", "list"}).out, ContainsSubstring("restored"));
  CHECK(klab.run({"journal", "restore", "2"}).exit_code == 2);
}

TEST_CASE("a recorded diagnosis needs no GPU, and says that it is recorded",
          "[cli][diagnosis][whole]") {
  const test::Program program;
  const auto run = [&](const std::vector<std::string>& words) {
    std::vector<std::string> command = {test::Program::program(), "--root", KLAB_SOURCE_DIR};
    command.insert(command.end(), words.begin(), words.end());
    return program.run_command(command);
  };
  const auto recorded = run({"diagnose", "2", "--recorded", "--json"});
  CHECK(recorded.exit_code == 0);
  const auto json = test::parse(recorded.out);
  REQUIRE(json.is_array());
  REQUIRE(json.size() >= 2);
  CHECK(json[0].at("class") == "memory");
  CHECK(json[0].at("wastes").at(0).at("name") == "excess sectors");
  CHECK(json[0].at("label").get<std::string>().rfind("recorded on ", 0) == 0);

  const auto shown = run({"diagnose", "coalescing", "--recorded", "--variant", "optimized"});
  CHECK(shown.exit_code == 0);
  CHECK_THAT(shown.out, Says("recorded on"));
  const auto unknown = run({"diagnose", "2", "--recorded", "--variant", "mine"});
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.err, Says("holds no such counters of 02-coalescing"));
  CHECK_THAT(unknown.err, Says("klab diagnose coalescing"));
}
