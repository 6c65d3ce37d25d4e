// What the command line says of itself: help, suggestions, completion, the manual page.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/program.hpp"
#include "support/says.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The words that bash offers at the end of `line`, one a line.
std::string offered(const Program& klab, const std::string& line) {
  const std::string script = klab.run({"completion", "bash"}).out;
  return klab
      .run_command({"bash", "-c",
                    "complete() { :; }; " + script + "\nread -ra COMP_WORDS <<<'" + line +
                        "'; [[ '" + line +
                        "' == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                        "_klab; printf '%s\\n' \"${COMPREPLY[@]}\""})
      .out;
}

}  // namespace

TEST_CASE("usage lines begin with klab, and help has examples", "[cli][help]") {
  const Program klab;
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"check"}, {"journal", "list"}, {"course", "record"}, {"device"}}) {
    auto words = verb;
    words.emplace_back("--help");
    const auto help = klab.run(words);
    std::string name = "klab";
    for (const std::string& word : verb) name += " " + word;
    CHECK(help.exit_code == 0);
    CHECK_THAT(help.out, ContainsSubstring("Usage: " + name + " ["));
    CHECK_THAT(help.out, ContainsSubstring("Examples:\n  " + name));
  }
}

TEST_CASE("help of a verb is what the verb says of itself", "[cli][help]") {
  const Program klab;
  CHECK(klab.run({"help"}).out == klab.run({"--help"}).out);
  CHECK(klab.run({"help", "check"}).out == klab.run({"check", "--help"}).out);
  CHECK(klab.run({"help", "journal", "show"}).out == klab.run({"journal", "show", "--help"}).out);
  const auto unknown = klab.run({"help", "chekc"});
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.err, Says("Did you mean check?"));
  const auto asked = klab.run({"chekc", "--help"});
  CHECK(asked.exit_code == 2);
  CHECK(asked.out.empty());
  CHECK_THAT(asked.err, Says("Did you mean check?"));
  CHECK_THAT(klab.run({"journal", "shwo", "-h"}).err, Says("\"klab journal shwo\""));
  CHECK(klab.run({"check", "2", "--help"}).exit_code == 0);
}

TEST_CASE("a misspelt option or verb gets a suggestion, at every level", "[cli][help]") {
  const Program klab;
  const auto option = klab.run({"check", "2", "--jsn"});
  CHECK(option.exit_code == 2);
  CHECK_THAT(option.err,
             Says("klab check has no option \"--jsn\"") && Says("Did you mean --json?"));
  CHECK_THAT(klab.run({"check", "2", "--varant=flawed"}).err, ContainsSubstring("--variant"));
  CHECK_THAT(klab.run({"journal", "shwo", "1"}).err,
             Says("\"klab journal shwo\"") && ContainsSubstring("show"));
  CHECK_THAT(klab.run({"course", "reprot"}).err, ContainsSubstring("report"));
}

TEST_CASE("a suggestion names a thing once, and a verb where it stands", "[cli][help]") {
  const Program klab;
  CHECK_THAT(klab.run({"--vers"}).err, Says("Did you mean --version? Run"));
  CHECK_THAT(klab.run({"record"}).err, Says("Did you mean course record?"));
  CHECK_THAT(klab.run({"restore", "3"}).err, Says("Did you mean journal restore?"));
}

TEST_CASE("what is missing is said in the words of the help", "[cli][help]") {
  const Program klab;
  const auto without_lab = klab.run({"check"});
  CHECK(without_lab.exit_code == 2);
  CHECK_THAT(without_lab.err, Says("klab check needs LAB, the lab: its number"));
  CHECK_THAT(klab.run({"course"}).err, Says("klab course needs a verb."));
  CHECK_THAT(klab.run({}).err, Says("klab needs a verb."));
  CHECK_THAT(klab.run({"--help"}).out, Says("Usage: klab [OPTIONS] VERB"));
}

TEST_CASE("a value of another kind is said with what it must be", "[cli][help]") {
  const Program klab;
  CHECK_THAT(klab.run({"journal", "restore", "x"}).err,
             Says("number must be a number, not \"x\"."));
  CHECK_THAT(klab.run({"completion", "tcsh"}).err,
             Says("shell must be bash, zsh or fish, not \"tcsh\"."));
  CHECK_THAT(klab.run({"device", "--live", "--seconds", "-1"}).err,
             Says("--seconds must be from 0.1 to 3600, not \"-1\"."));
  CHECK(klab.run({"occupancy", "--block", "abc"}).exit_code == 2);
}

TEST_CASE("a seed or budget that makes no sense is refused with the range", "[cli][help]") {
  const Program klab;
  for (const std::vector<std::string>& asked : std::vector<std::vector<std::string>>{
           {"check", "2", "--seed"}, {"check", "2", "--budget"}, {"sim", "--budget"}})
    for (const std::string wrong : {"0", "-1", "x", "1.5", "1e9", " 7", "0x10",
                                    "18446744073709551617", "99999999999999999999999"}) {
      auto words = asked;
      words.back() += "=" + wrong;
      words.push_back("/bin/true");
      if (asked[0] == "check") words.pop_back();
      const auto refused = klab.run(words);
      CAPTURE(words, refused.err);
      CHECK(refused.exit_code == 2);
      CHECK_THAT(refused.err, Says(" must be a whole number from 1 to ") && Says("not \"" + wrong));
    }
  CHECK_THAT(klab.run({"check", "2", "--seed", "9007199254740992"}).err,
             Says("from 1 to 9,007,199,254,740,991, not"));
  CHECK_THAT(klab.run({"check", "2", "--seed="}).err, Says("--seed needs a value."));
  // As it is shown it can be given.
  CHECK_THAT(klab.run({"check", "2", "--seed", "9,007,199,254,740,991"}).err,
             Says("is not started"));
}

TEST_CASE("what is not expected is listed in the order in which it was written", "[cli][help]") {
  const Program klab;
  const auto result = klab.run({"start", "2", "one", "two", "three"});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, Says("\"one\", \"two\", \"three\""));
}

TEST_CASE("journal alone lists", "[cli][journal]") {
  const Program klab;
  klab.folder.write("workbook/journal.jsonl", attempt_line(1, "02-coalescing", "fail", "", ""));
  const auto alone = klab.run({"journal"});
  CHECK(alone.exit_code == 0);
  CHECK(alone.out == klab.run({"journal", "list"}).out);
  CHECK_THAT(alone.out, ContainsSubstring("02-coalescing"));
}

TEST_CASE("bash completes verbs, options, labs and known values", "[cli][completion]") {
  const Program klab;
  CHECK_THAT(offered(klab, "klab ch"), ContainsSubstring("check\n"));
  CHECK_THAT(offered(klab, "./klab journal "), ContainsSubstring("restore\n"));
  CHECK_THAT(offered(klab, "klab check coal"), ContainsSubstring("coalescing\n"));
  CHECK_THAT(offered(klab, "klab check 2 --ba"), ContainsSubstring("--backend\n"));
  CHECK(offered(klab, "klab check 2 --backend ") == "auto\ngpu\nsim\n");
  CHECK(offered(klab, "klab list --back") == "\n");
  CHECK_THAT(offered(klab, "klab check "), !ContainsSubstring("--"));
  CHECK_THAT(offered(klab, "klab list "), ContainsSubstring("--json\n"));
}

TEST_CASE("fish completes verbs, labs, options behind a dash, and known values",
          "[cli][completion]") {
  const Program klab;
  if (klab.run_command({"sh", "-c", "command -v fish"}).exit_code != 0) SKIP("no fish");
  const std::string script = klab.run({"completion", "fish"}).out;
  const auto completed = [&](const std::string& line) {
    return klab.run_command({"fish", "--no-config", "-c", script + "\ncomplete -C '" + line + "'"})
        .out;
  };
  CHECK_THAT(completed("klab ch"), ContainsSubstring("check\t"));
  CHECK_THAT(completed("./klab journal "), ContainsSubstring("restore\t"));
  CHECK_THAT(completed("klab check coal"), ContainsSubstring("coalescing"));
  CHECK_THAT(completed("klab check 2 --ba"), ContainsSubstring("--backend\t"));
  CHECK_THAT(completed("klab check 2 --backend "), ContainsSubstring("auto\t"));
}

TEST_CASE("zsh and fish read their completion scripts", "[cli][completion]") {
  const Program klab;
  CHECK(klab.run({"completion", "tcsh"}).exit_code == 2);
  for (const std::string shell : {"zsh", "fish"}) {
    const std::string script = klab.run({"completion", shell}).out;
    for (const char* word : {"journal", "--backend", "coalescing", "restore"})
      CHECK_THAT(script, ContainsSubstring(word == std::string("--backend") && shell == "fish"
                                               ? "-l backend"
                                               : word));
    if (klab.run_command({"sh", "-c", "command -v " + shell}).exit_code != 0) continue;
    const auto read = klab.run_command({shell, "-n"}, script);
    CHECK(read.exit_code == 0);
    CHECK(read.err.empty());
  }
}

TEST_CASE("the manual page holds every verb with its options, and man finds no fault",
          "[cli][man]") {
  const Program klab;
  const std::string page = klab.run({"man"}).out;
  CHECK_THAT(page, ContainsSubstring(".SS klab check") &&
                       ContainsSubstring(".SS klab journal list") &&
                       ContainsSubstring("\\-\\-give\\-up") && ContainsSubstring("Exit codes"));
  if (klab.run_command({"sh", "-c", "command -v groff"}).exit_code != 0) SKIP("no groff");
  const auto set = klab.run_command({"groff", "-man", "-Tutf8", "-ww"}, page);
  CHECK(set.exit_code == 0);
  CHECK(set.err.empty());
}

TEST_CASE("metrics lists every counter with unit, meaning and who counts it", "[cli][metrics]") {
  const Program klab;
  const auto listed = parse(klab.run({"metrics", "--json"}).out);
  REQUIRE(listed.size() > 40);
  for (const auto& metric : listed) {
    CAPTURE(metric.dump());
    CHECK_FALSE(metric["meaning"].get<std::string>().empty());
    CHECK_FALSE(metric["counted_by"].empty());
  }
  CHECK_THAT(klab.run({"metrics"}).out, ContainsSubstring("global_load_sectors_per_request"));
}

TEST_CASE("a wrong value of any length is refused in a sentence", "[cli][grammar]") {
  const Program klab;
  const std::string word(100'000, 'a');
  for (const std::vector<std::string>& verb : {std::vector<std::string>{"sweep", "2", "--values"},
                                               {"check", "2", "--seed"},
                                               {"check", "2", "--backend"},
                                               {"check", "2"},
                                               {"start"},
                                               {"journal"},
                                               {"help"},
                                               {}}) {
    auto words = verb;
    words.push_back(word);
    const auto said = klab.run(words);
    CAPTURE(verb);
    CHECK(said.exit_code == 2);
    CHECK(said.err.starts_with("error: "));
    CHECK(said.err.size() < 400);
  }
  CHECK_THAT(klab.run({"sweep", "2", "--values", "x = y"}).err,
             Says("--values must be a number, not \"x = y\"."));
  CHECK_THAT(klab.run({"sweep", "2", "--values"}).err, Says("--values needs a value."));
  CHECK_THAT(klab.run({"sim"}).err, Says("klab sim needs PROGRAM, followed by its arguments."));
}
