// Notes, calibration and exports of the journal, asked for as a learner does.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/program.hpp"
#include "core/base/sha256.hpp"
#include "support/says.hpp"
#include "support/well_formed.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a note is kept, listed and exported", "[cli][journal]") {
  const Program klab;
  const auto noted = klab.run({"journal", "note", "2", "Rows, then <columns>."});
  CHECK(noted.exit_code == 0);
  CHECK_THAT(noted.out, Says("entry 1"));
  CHECK_THAT(klab.run({"journal", "list"}).out, Says("Rows, then <columns>."));
  CHECK_THAT(klab.run({"journal", "show", "1"}).out, Says("Rows, then <columns>."));
  CHECK_THAT(klab.run({"journal", "export"}).out, Says("> Rows, then \\<columns\\>."));
  CHECK(klab.run({"journal", "note", "2", "  "}).exit_code == 2);
  CHECK(klab.run({"journal", "note", "none", "x"}).exit_code == 2);
}

TEST_CASE("a note that cannot be written is a failure", "[cli][journal]") {
  const Program klab;
  klab.folder.write("workbook", "a file in the way");
  const auto noted = klab.run({"journal", "note", "2", "words"});
  CHECK(noted.exit_code == 2);
  CHECK_THAT(noted.err, ContainsSubstring("→"));
}

TEST_CASE("calibration tells what was predicted and what it was", "[cli][journal]") {
  const Program klab;
  CHECK_THAT(klab.run({"journal", "calibration"}).out,
             Says("No prediction yet from before a lab's first check"));
  REQUIRE(klab.run({"predict", "2", "--answer", "1"}).exit_code == 0);
  CHECK_THAT(klab.run({"journal", "calibration"}).out, Says("Not measured yet."));
  klab.folder.write("workbook/journal.jsonl", klab.folder.read("workbook/journal.jsonl") +
                                                  attempt_line(2, "02-coalescing", "fail", "", ""));
  const std::string out = klab.run({"journal", "calibration"}).out;
  CHECK_THAT(out, Says("0 of 1 prediction right"));
  CHECK_THAT(out, Says("It is: Strided reads"));
  const auto json = parse(klab.run({"journal", "calibration", "--json"}).out);
  CHECK(json["known"] == 1);
  CHECK(json["right"] == 0);
  CHECK(json["by_guess"] == 0.5);
  CHECK(json["predictions"][0]["right"] == false);
  CHECK(json["predictions"][0]["truth"] == "Strided reads");
  CHECK(json["over_time"].size() == 1);
}

TEST_CASE("the journal becomes one well-formed page", "[cli][journal]") {
  const Program klab;
  const std::string source = "// <script>alert(1)</script>\n";
  klab.folder.write("workbook/journal.jsonl",
                    attempt_line(1, "02-coalescing", "fail", source, sha256(source)));
  const auto page = klab.folder.path() / "out" / "page.html";
  const auto result = klab.run({"journal", "export", "--html", page.string()});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Says("Written to " + page.string()));
  const MarkupContents contents = MarkupReader::read(klab.folder.read("out/page.html"));
  CHECK(contents.problem.empty());
  CHECK(contents.elements.count("script") == 0);
  CHECK_THAT(contents.text, ContainsSubstring("+// <script>alert(1)</script>"));
  CHECK(klab.run({"journal", "export", "--html", "a", "--output", "b"}).exit_code == 2);
  klab.folder.write("file", "");
  const auto refused =
      klab.run({"journal", "export", "--html", (klab.folder.path() / "file/page.html").string()});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("→"));
}

TEST_CASE("what is written to a file takes no kernel's place, and no journal's", "[cli][journal]") {
  const Program klab;
  REQUIRE(klab.run({"start", "2"}).exit_code == 0);
  const std::string kernel = klab.folder.read("workbook/02_coalescing.cu");
  const std::string journal = klab.folder.read("workbook/journal.jsonl");
  const auto refused = [&](std::vector<std::string> command) {
    for (const char* file : {"workbook/02_coalescing.cu", "workbook/journal.jsonl"}) {
      command.back() = (klab.folder.path() / file).string();
      const auto result = klab.run(command);
      CAPTURE(command[0], file);
      CHECK(result.exit_code == 2);
      CHECK_THAT(result.err, Says("must be a file of its own"));
    }
  };
  refused({"journal", "export", "--output", ""});
  refused({"journal", "export", "--html", ""});
  refused({"trace", "2", "--output", ""});
  refused({"trace", "2", "--chrome", ""});
  refused({"course", "record", "--output", ""});
  CHECK(klab.folder.read("workbook/02_coalescing.cu") == kernel);
  CHECK(klab.folder.read("workbook/journal.jsonl") == journal);
  const std::string page = (klab.folder.path() / "page.md").string();
  for (int time = 0; time < 2; ++time)  // an export may be renewed
    CHECK(klab.run({"journal", "export", "--output", page}).exit_code == 0);
}

TEST_CASE("a record of results is not written over what is none", "[cli][course]") {
  const Program klab;
  klab.folder.write("torn.json", "{\"format\": 1, \"runs\": [");
  const auto result =
      klab.run({"course", "record", "2", "--output", (klab.folder.path() / "torn.json").string()});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, Says("is not a record of results") && Says("--output"));
  CHECK(klab.folder.read("torn.json") == "{\"format\": 1, \"runs\": [");
}

TEST_CASE("what is wrong with the journal is told once, however often a verb reads it",
          "[cli][journal]") {
  const Program klab;
  REQUIRE(klab.run({"start", "2"}).exit_code == 0);
  klab.folder.write("workbook/journal.jsonl", "torn\nand torn again\n");
  const std::string said = klab.run({"list"}).err;
  const auto first = said.find("lines of the journal cannot be read");
  REQUIRE(first != said.npos);
  CHECK(said.find("lines of the journal cannot be read", first + 1) == said.npos);
}
