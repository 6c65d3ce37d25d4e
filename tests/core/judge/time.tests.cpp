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
