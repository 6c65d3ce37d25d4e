// Tests of the gates of time.
#include "core/judge/judge.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support/passing_check.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;
using klab::test::Passing;

TEST_CASE("an interval that straddles the target is inconclusive, one below it fails",
          "[core][judge]") {
  Passing passing;
  passing.evidence.timing.ratio = Interval{5.1, 4.9, 5.3};
  CHECK(passing.gate(GateName::time, "speedup").outcome == Outcome::inconclusive);
  passing.evidence.timing.ratio = Interval{4.0, 3.9, 4.1};
  CHECK(passing.gate(GateName::time, "speedup").outcome == Outcome::fail);
  CHECK_FALSE(passing.gate(GateName::time, "speedup").advice.empty());
}

TEST_CASE("times that scatter as beside other programs do not fail", "[core][judge]") {
  Passing passing;
  passing.evidence.timing.ratio = Interval{0.34, 0.15, 0.74};
  const Gate scattered = passing.gate(GateName::time, "speedup");
  CHECK(scattered.outcome == Outcome::inconclusive);
  CHECK_THAT(scattered.detail, ContainsSubstring("scatter"));
  passing.evidence.timing.variants[VariantName::mine].seconds = Interval{1e-2, 4e-3, 2e-2};
  CHECK(passing.gate(GateName::time, "dram_copy").outcome == Outcome::inconclusive);
}

TEST_CASE("launches of which too few were timed are inconclusive, and no gate calls them untimed",
          "[core][judge]") {
  Passing passing;
  passing.evidence.timing.ratio.reset();
  for (auto& [name, times] : passing.evidence.timing.variants) {
    times.seconds.reset();
    times.samples_s = {0.8, 0.9, 0.7};
  }
  for (const Gate& gate :
       {passing.gate(GateName::same_work), passing.gate(GateName::time, "speedup"),
        passing.gate(GateName::time, "dram_copy")}) {
    CHECK(gate.outcome == Outcome::inconclusive);
    CHECK_THAT(gate.detail, ContainsSubstring("only 3 times"));
    CHECK_FALSE(gate.advice.empty());
  }
}

TEST_CASE("an unmeasured ceiling is a state with a remedy, never a number", "[core][judge]") {
  Passing passing;
  passing.evidence.ceilings.reset();
  for (const Gate& gate :
       {passing.gate(GateName::same_work), passing.gate(GateName::time, "dram_copy")}) {
    CHECK(gate.outcome == Outcome::not_checkable);
    CHECK_FALSE(gate.measured);
    CHECK_THAT(shell_words(gate.advice), ContainsSubstring("klab device --measure"));
  }
}

TEST_CASE("a flawed kernel slowed down beside the file matters where it could decide",
          "[core][judge]") {
  Passing passing;
  passing.evidence.timed->watches = {{VariantName::flawed, 7e-3, 0}, {VariantName::mine, {}, 0}};
  CHECK(passing.gate(GateName::time, "speedup").outcome == Outcome::pass);  // 8x of at least 5x
  passing.evidence.timing.ratio = Interval{6, 5.9, 6.1};
  const Gate gate = passing.gate(GateName::time, "speedup");
  CHECK(gate.outcome == Outcome::inconclusive);
  CHECK_THAT(gate.detail, ContainsSubstring("beside this file"));
  CHECK(passing.gate(GateName::time, "dram_copy").outcome == Outcome::pass);
}
