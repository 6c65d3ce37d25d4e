// Tests of the gate correct.
#include "core/judge/judge.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/judge/checker_findings.hpp"
#include "support/passing_check.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;
using klab::test::Passing;

TEST_CASE("a wrong element is shown with index, values, size and seed", "[core][judge]") {
  Passing passing;
  record::Verified wrong{.variant = VariantName::mine,
                         .size = {31},
                         .seed = 99,
                         .problem = ResultProblem::wrong_value,
                         .buffer = "out"};
  wrong.index = 30;
  wrong.got_text = "nan";
  wrong.want = 2.5;
  wrong.tolerance = 1e-6;
  wrong.wrong = 1;
  wrong.total = 31;
  passing.evidence.verified.push_back(wrong);
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.outcome == Outcome::fail);
  CHECK_THAT(gate.detail, ContainsSubstring("[30]") && ContainsSubstring("nan") &&
                              ContainsSubstring("2.5") && ContainsSubstring("seed 99") &&
                              ContainsSubstring("size 31"));
}

TEST_CASE("work that nobody joined is told by its place, without values that were not compared",
          "[core][judge]") {
  Passing passing;
  passing.evidence.verified.push_back({.variant = VariantName::mine,
                                       .size = {31},
                                       .correct = false,
                                       .problem = ResultProblem::unjoined_stream,
                                       .buffer = "out",
                                       .index = 7});
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.outcome == Outcome::fail);
  CHECK_THAT(gate.detail,
             ContainsSubstring("not joined, first seen at out[7]") && !ContainsSubstring("want"));
}

TEST_CASE("a result that is wrong only after timing fails as well", "[core][judge]") {
  Passing passing;
  passing.evidence.verified_timed = {{.variant = VariantName::mine,
                                      .size = {1024},
                                      .correct = false,
                                      .problem = ResultProblem::wrong_value}};
  CHECK(passing.gate(GateName::correct).outcome == Outcome::fail);
  CHECK_THAT(passing.gate(GateName::correct).detail,
             ContainsSubstring("In a launch that was timed"));
}

TEST_CASE("a size that was left out for its length is not counted, and is named", "[core][judge]") {
  Passing passing;
  passing.lab.sizes.beyond = {{70000}, {300001}};
  passing.evidence.verified.push_back(
      {.variant = VariantName::mine, .size = {70000}, .correct = true});
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.outcome == Outcome::pass);
  CHECK_THAT(gate.detail, ContainsSubstring("3 runs over 3 sizes agree"));
  CHECK_THAT(gate.detail, ContainsSubstring("300,001 would have taken too long"));
}

TEST_CASE("a hang or a crash is the kernel's fault, a full GPU is not", "[core][judge]") {
  Passing passing;
  passing.evidence.verified.clear();
  for (const ErrorCode code :
       {ErrorCode::hang, ErrorCode::crash, ErrorCode::device_fault, ErrorCode::bad_plugin}) {
    passing.evidence.verify_error = make_error(code, "It broke.");
    CHECK(passing.gate(GateName::correct).outcome == Outcome::fail);
  }
  passing.evidence.verify_error = make_error(ErrorCode::out_of_memory, "The GPU is full.");
  CHECK(passing.gate(GateName::correct).outcome == Outcome::not_checkable);
}

TEST_CASE("what the simulator sees after a pass on a GPU fails, with its line", "[core][judge]") {
  Passing passing;
  passing.evidence.second_look = SecondLook{};
  passing.evidence.second_look->findings = {{.variant = VariantName::mine,
                                             .kind = FindingKind::shared_race,
                                             .message = "Two threads write one word.",
                                             .file = "mine.cu",
                                             .line = 7}};
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.outcome == Outcome::fail);
  CHECK(gate.subject == "shared_race");
  CHECK_THAT(gate.detail, ContainsSubstring("Right on this GPU") && ContainsSubstring("mine.cu:7"));
}

TEST_CASE("what the checker found is advised upon by its kind", "[core][judge]") {
  const auto advice_for = [](FindingKind kind) {
    Passing passing;
    passing.evidence.findings = {{.variant = VariantName::mine, .kind = kind}};
    return shell_words(passing.gate(GateName::correct).advice);
  };
  CHECK_THAT(advice_for(FindingKind::out_of_bounds), ContainsSubstring("by luck"));
  CHECK_THAT(advice_for(FindingKind::misaligned),
             ContainsSubstring("multiples of it") && !ContainsSubstring("by luck"));
  CHECK_THAT(advice_for(FindingKind::stream_race), ContainsSubstring("put them in order"));
  CHECK_THAT(advice_for(FindingKind::out_of_reach),
             ContainsSubstring("std::int64_t") && ContainsSubstring("what is bounded"));
  CHECK_THAT(advice_for(FindingKind::call_in_host_function), ContainsSubstring("in `launch`"));
  for (const FindingKind kind : {FindingKind::assertion, FindingKind::barrier_divergence,
                                 FindingKind::bad_shuffle_mask, FindingKind::not_in_a_row})
    CHECK_THAT(advice_for(kind), !ContainsSubstring("correct the access"));
  CHECK_THAT(advice_for(FindingKind::memory_leak), ContainsSubstring("no memory left"));
}

TEST_CASE("a wrong value is advised upon by what the simulator saw", "[core][judge]") {
  Passing passing;
  passing.evidence.verified = {{.variant = VariantName::mine,
                                .size = {31},
                                .correct = false,
                                .problem = ResultProblem::wrong_value}};
  CHECK_THAT(shell_words(passing.gate(GateName::correct).advice), ContainsSubstring("by hand"));
  passing.evidence.findings = {{.variant = VariantName::mine,
                                .kind = FindingKind::shared_race,
                                .message = "Two threads write one word.",
                                .file = "mine.cu",
                                .line = 7}};
  CHECK_THAT(shell_words(passing.gate(GateName::correct).advice),
             ContainsSubstring("mine.cu:7: Two threads write one word."));
}

TEST_CASE("that the order of warps matters is told in front of what came of it", "[core][judge]") {
  Passing passing;
  passing.evidence.findings = {{.variant = VariantName::mine, .kind = FindingKind::out_of_bounds},
                               {.variant = VariantName::mine, .kind = FindingKind::warp_order}};
  CHECK(passing.gate(GateName::correct).subject == "warp_order");
}

TEST_CASE("what other blocks do is told before what a barrier within one would mend",
          "[core][judge]") {
  Passing passing;
  passing.evidence.findings = {
      {.variant = VariantName::mine, .kind = FindingKind::shared_race, .message = "within"},
      {.variant = VariantName::mine, .kind = FindingKind::block_race, .message = "between"}};
  CHECK(passing.gate(GateName::correct).subject == "block_race");
}

TEST_CASE("a gate tells each kind and line once, and a race of warps before one within a warp",
          "[core][judge]") {
  Passing passing;
  const auto race = [](FindingKind kind, int line, const char* message) {
    return record::Finding{VariantName::mine, kind, message, "k", "mine.cu", line};
  };
  passing.evidence.findings = {race(FindingKind::warp_race, 5, "In warp 0."),
                               race(FindingKind::warp_race, 9, "In warp 1."),
                               race(FindingKind::shared_race, 9, "At offset 0."),
                               race(FindingKind::shared_race, 9, "At offset 4.")};
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.subject == "shared_race");
  CHECK(gate.measured == 2);
  CHECK(gate.detail == "mine.cu:9: At offset 0. (Seen in 2 runs.)\nmine.cu:5: In warp 0.");

  for (int line = 20; line < 26; ++line)
    passing.evidence.findings.push_back(race(FindingKind::misaligned, line, "Odd."));
  CHECK(passing.gate(GateName::correct).measured == 8);
  CHECK_THAT(passing.gate(GateName::correct).detail, ContainsSubstring("\nAnd 3 more."));
}

TEST_CASE("a finding without a line is told once, whichever addresses and sizes it was seen at",
          "[core][judge]") {
  Passing passing;
  const auto race = [](const char* message) {
    return record::Finding{VariantName::mine, FindingKind::stream_race, message, {}, {}, {}};
  };
  passing.evidence.findings = {
      race("A copy writes byte 0 of args.out (4 bytes at 0x2000001a9000)."),
      race("A copy writes byte 8 of args.out (12 bytes at 0x2000002db000)."),
      race("A copy reads byte 8 of args.out (12 bytes at 0x2000002db000).")};
  CHECK(passing.gate(GateName::correct).measured == 2);
  CHECK_THAT(passing.gate(GateName::correct).detail, ContainsSubstring("(Seen in 2 runs.)"));
}

TEST_CASE("memory that is never freed is no finding where a cause of the lab tells of it",
          "[core][judge]") {
  Lab lab;
  const std::vector<record::Finding> findings = {
      {VariantName::mine, FindingKind::memory_leak, "Not freed.", {}, {}, {}},
      {VariantName::mine, FindingKind::stream_race, "Not in order.", {}, {}, {}}};
  CHECK(findings_for(lab, findings).size() == 2);
  lab.pass().causes = {{"kept_allocations", {Bound::Relation::at_most, 0}, {}, ""}};
  REQUIRE(findings_for(lab, findings).size() == 1);
  CHECK(findings_for(lab, findings).front().kind == FindingKind::stream_race);
}

TEST_CASE(
    "memory that is kept beside the launches that are counted is a finding of the second look",
    "[core][judge]") {
  Passing passing;
  passing.lab.pass().causes = {{"kept_allocations", {Bound::Relation::at_most, 0}, {}, ""}};
  passing.evidence.second_look = SecondLook{};
  passing.evidence.second_look->findings = {
      {VariantName::mine, FindingKind::memory_leak, "Not freed.", {}, {}, {}}};
  CHECK(passing.gate(GateName::correct).outcome == Outcome::fail);
}

TEST_CASE("a finding names a file inside the tree from its root, and others in full",
          "[core][judge]") {
  const auto at = [](const std::string& file) {
    return record::Finding{VariantName::mine, FindingKind::block_race, "", "scale", file, 7};
  };
  const auto named =
      named_from("/srv/klab", {at("/srv/klab/workbook/02_coalescing.cu"), at("/srv/klab-2/mine.cu"),
                               at("/tmp/mine.cu"), at("")});
  CHECK(named[0].file == "workbook/02_coalescing.cu");
  CHECK(named[1].file == "/srv/klab-2/mine.cu");
  CHECK(named[2].file == "/tmp/mine.cu");
  CHECK(named[3].file.empty());
}

TEST_CASE("a value that is wrong by little is told with the digits that show it", "[core][judge]") {
  Passing passing;
  passing.evidence.verified = {{.variant = VariantName::mine,
                                .size = {1},
                                .correct = false,
                                .problem = ResultProblem::wrong_value,
                                .buffer = "energy",
                                .index = 0,
                                .got = 24.6912,
                                .want = 24.6901,
                                .tolerance = 0.0001,
                                .wrong = 1,
                                .total = 1}};
  CHECK_THAT(passing.gate(GateName::correct).detail,
             ContainsSubstring("got 24.6912, want 24.6901"));
}

TEST_CASE("a launch that reads no input is refused with what makes a loop end at once",
          "[core][judge]") {
  Passing passing;
  passing.evidence.verified = {{.variant = VariantName::mine,
                                .size = {4294967295},
                                .correct = false,
                                .problem = ResultProblem::not_read,
                                .buffer = "pixels",
                                .wrong = 1}};
  const Gate gate = passing.gate(GateName::correct);
  CHECK_THAT(gate.detail, ContainsSubstring("no element was read in pixels"));
  CHECK_THAT(shell_words(gate.advice), ContainsSubstring("std::int64_t"));
}

TEST_CASE("what the simulator cannot look at leaves the pass, and is said", "[core][judge]") {
  Passing passing;
  passing.evidence.second_look = SecondLook{.not_looked = "it knows no `tcgen05`."};
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.outcome == Outcome::pass);
  CHECK_THAT(gate.detail, ContainsSubstring("did not look") && ContainsSubstring("`tcgen05`."));
  passing.evidence.second_look = SecondLook{};
  CHECK_THAT(passing.gate(GateName::correct).detail, ContainsSubstring("saw no race"));
}

TEST_CASE("a launch that is too large for the simulator's rules leaves the result open",
          "[core][judge]") {
  Passing passing;
  passing.evidence.second_look =
      SecondLook{.refused = make_error(ErrorCode::launch_failed, "The grid is too large.", "Loop."),
                 .not_looked = "The grid is too large."};
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.outcome == Outcome::inconclusive);
  CHECK_THAT(gate.detail, ContainsSubstring("may not launch it: The grid is too large."));
}

TEST_CASE("work that the simulator finds unjoined is wrong, however right it looks on a GPU",
          "[core][judge]") {
  Passing passing;
  record::Verified late{.variant = VariantName::mine};
  late.size = {1, 1};
  late.buffer = "out";
  late.index = 0;
  late.problem = ResultProblem::unjoined_stream;
  passing.evidence.second_look = SecondLook{.unjoined = late};
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.outcome == Outcome::fail);
  CHECK_THAT(gate.detail, ContainsSubstring("Right on this GPU") && ContainsSubstring("1 x 1"));
}

TEST_CASE("what is wrong on the simulator at a size that this GPU did not try is wrong",
          "[core][judge]") {
  Passing passing;
  record::Verified wrong{.variant = VariantName::mine};
  wrong.size = {1, 2147486051};
  wrong.buffer = "out";
  wrong.index = 33;
  wrong.wrong = 95;
  wrong.problem = ResultProblem::wrong_value;
  passing.evidence.second_look = SecondLook{.wrong = wrong};
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.outcome == Outcome::fail);
  CHECK_THAT(gate.detail,
             ContainsSubstring("but on the simulator") && ContainsSubstring("1 x 2,147,486,051"));
}

TEST_CASE("what is wrong on the simulator is no pass, however right it looks on a GPU",
          "[core][judge]") {
  Passing passing;
  record::Verified wrong{.variant = VariantName::mine};
  wrong.size = {31, 33};
  wrong.buffer = "out";
  wrong.index = 33;
  wrong.wrong = 95;
  wrong.total = 1023;
  wrong.got = -1;
  wrong.want = -1.096;
  wrong.tolerance = 1e-7;
  wrong.problem = ResultProblem::wrong_value;
  passing.evidence.second_look = SecondLook{.wrong = wrong};
  passing.evidence.verified.push_back(
      {.variant = VariantName::mine, .size = {31, 33}, .correct = true});
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.outcome == Outcome::inconclusive);
  CHECK_THAT(gate.detail, ContainsSubstring("not on the simulator") &&
                              ContainsSubstring("95 of 1023 elements of out"));
  CHECK_FALSE(gate.advice.empty());
}

TEST_CASE("a zero is told with its sign, and a small tolerance is not told as none",
          "[core][judge]") {
  Passing passing;
  record::Verified wrong{.variant = VariantName::mine,
                         .size = {31},
                         .problem = ResultProblem::wrong_value,
                         .buffer = "out"};
  wrong.index = 30;
  wrong.got_text = "a zero of the other sign";
  wrong.want = -0.0;
  wrong.tolerance = 1.4e-45;
  passing.evidence.verified.push_back(wrong);
  CHECK_THAT(passing.gate(GateName::correct).detail,
             ContainsSubstring("want -0 within 1.4e-45 at"));
}

TEST_CASE("a place that is wrong without a value is one wrong element, not none", "[core][judge]") {
  Passing passing;
  passing.evidence.verified.push_back({.variant = VariantName::mine,
                                       .size = {31},
                                       .correct = false,
                                       .problem = ResultProblem::unjoined_stream,
                                       .buffer = "out",
                                       .index = 7});
  CHECK(passing.gate(GateName::correct).measured == 1.0);
}
