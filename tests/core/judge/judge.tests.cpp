// Tests of the verdict: the order of gates, rungs and score, from evidence made by hand.
#include "core/judge/judge.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support/passing_check.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using klab::test::Passing;

TEST_CASE("right, for the taught reason and fast enough passes every gate", "[core][judge]") {
  const Passing passing;
  const auto gates = judge(passing.evidence).gates;
  CHECK(gates.size() == 6);
  for (const Gate& gate : gates) {
    INFO(to_string(gate.name) << " " << gate.subject << ": " << gate.detail);
    CHECK(gate.outcome == Outcome::pass);
    CHECK(gate.advice.empty());
  }
}

TEST_CASE("a kernel that does not build leaves nothing else judged", "[core][judge]") {
  Passing passing;
  passing.evidence.build_error = make_error(ErrorCode::build_failed, "mine.cu:3: expected a ;");
  const auto gates = judge(passing.evidence).gates;
  CHECK(gates.front().outcome == Outcome::fail);
  CHECK_THAT(gates.front().detail, ContainsSubstring("mine.cu:3"));
  for (std::size_t i = 1; i < gates.size(); ++i) CHECK(gates[i].outcome == Outcome::not_checkable);
}

TEST_CASE("a gate knows whether an error speaks for it, or whether it was never reached",
          "[core][judge]") {
  Passing passing;
  for (const Gate& gate : judge(passing.evidence).gates) CHECK(gate.basis == Basis::seen);
  passing.evidence.setup_error = make_error(ErrorCode::no_toolkit, "No nvcc.");
  const auto gates = judge(passing.evidence).gates;
  CHECK(gates.front().basis == Basis::error);
  for (std::size_t i = 1; i < gates.size(); ++i) CHECK(gates[i].basis == Basis::not_run);
  passing.evidence.setup_error.reset();
  passing.evidence.verify_error = make_error(ErrorCode::hang, "It did not finish.");
  CHECK(passing.gate(GateName::correct).basis == Basis::error);
}

namespace {

Rung stretch(std::string name, double speedup) {
  return {.name = std::move(name), .time = {.speedup = speedup}};
}

}  // namespace

TEST_CASE("a rung is reached with all rungs before it, and not beyond one that is not",
          "[core][judge]") {
  Passing passing;
  passing.lab.pass().name = "the pass";
  passing.lab.rungs.push_back(stretch("more", 7));
  passing.lab.rungs.push_back(stretch("most", 20));
  auto rungs = judge(passing.evidence).rungs;
  REQUIRE(rungs.size() == 3);
  CHECK(rungs[0].name == "the pass");
  CHECK(rungs[0].outcome == Outcome::pass);
  CHECK(rungs[0].gates.size() == 3);
  CHECK(rungs[1].outcome == Outcome::pass);
  CHECK(rungs[2].outcome == Outcome::fail);
  REQUIRE(rungs[2].gates.size() == 1);
  CHECK(rungs[2].gates[0].measured == 8);
  CHECK(format_target(rungs[2].gates[0].target) == ">= 20x");

  passing.evidence.counters["global_load_sectors_per_request"].value = 5;
  rungs = judge(passing.evidence).rungs;
  CHECK(rungs[1].gates[0].outcome == Outcome::pass);
  CHECK(rungs[1].outcome == Outcome::fail);
}

TEST_CASE("stretch goals leave the verdict alone", "[core][judge]") {
  Passing passing;
  const auto before = judge(passing.evidence).gates;
  passing.lab.rungs.push_back(stretch("most", 20));
  const auto gates = judge(passing.evidence).gates;
  CHECK(gates.size() == before.size());
  CHECK(combine(gates) == Outcome::pass);
}

TEST_CASE("the score runs from the flawed kernel's time to the measured roof", "[core][judge]") {
  Passing passing;
  const auto timed = [&](double seconds) {
    passing.evidence.timing.variants[VariantName::mine].seconds =
        Interval{seconds, seconds, seconds};
    return judge(passing.evidence).score;
  };
  // 4 GB at 4 TB/s take 1 ms; the flawed kernel takes 8.8 ms.
  CHECK_THAT(timed(4.9e-3).value_or(-1), WithinAbs(50, 1e-9));
  CHECK(timed(9e-3) == 0.0);
  CHECK(timed(1e-3) == 100.0);
}

TEST_CASE("without a time, a roof or a right result there is no score", "[core][judge]") {
  CHECK(judge(Passing().evidence).score);
  Passing untimed;
  untimed.evidence.timing = {};
  CHECK_FALSE(judge(untimed.evidence).score);
  Passing unmeasured;
  unmeasured.evidence.ceilings.reset();
  CHECK_FALSE(judge(unmeasured.evidence).score);
  Passing wrong;
  wrong.evidence.verified_timed = {{.variant = VariantName::mine, .size = {1}, .correct = false}};
  CHECK_FALSE(judge(wrong.evidence).score);
  Passing already_there;
  already_there.evidence.timing.variants[VariantName::flawed].seconds =
      Interval{0.9e-3, 0.9e-3, 0.9e-3};
  CHECK_FALSE(judge(already_there.evidence).score);
}
