// What makes a pass inconclusive although the ratio reaches its target.
#include "core/timing/clock_doubt.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/measure/measure_policy.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Clocks {
  Timing timing;
  record::Timed timed;

  Clocks(double alone_s, double beside_s, double outside_flawed_s, double outside_candidate_s) {
    timing.variants[VariantName::flawed].seconds = Interval{beside_s, beside_s, beside_s};
    timed.watches = {{VariantName::flawed, alone_s, outside_flawed_s},
                     {VariantName::mine, std::nullopt, outside_candidate_s}};
  }
  std::optional<ClockDoubt> doubt(TimingMode mode = TimingMode::device) const {
    return clock_doubt(timing, timed, mode);
  }
};

}  // namespace

TEST_CASE("a flawed kernel as fast beside the candidate as alone raises no doubt",
          "[core][timing]") {
  CHECK_FALSE(Clocks(1e-3, 1.03e-3, 5e-4, 6e-4).doubt());
  CHECK_FALSE(Clocks(1e-3, 0.9e-3, 5e-4, 2e-4).doubt());
}

TEST_CASE("a flawed kernel that is slowed down is told with both times", "[core][timing]") {
  const auto doubt = Clocks(1e-3, 1.2e-3, 5e-4, 5e-4).doubt();
  REQUIRE(doubt);
  CHECK_THAT(doubt->detail, ContainsSubstring("20") && ContainsSubstring("1 ms"));
  CHECK_FALSE(doubt->advice.empty());
  CHECK_FALSE(Clocks(1e-3, 1.1e-3, 5e-4, 5e-4).doubt(TimingMode::wall));
}

TEST_CASE("work outside of the clock is told by how long it lasts", "[core][timing]") {
  CHECK_FALSE(Clocks(1e-3, 1e-3, 5e-4, 1.4e-3).doubt());
  const auto doubt = Clocks(1e-3, 1e-3, 5e-4, 5.5e-3).doubt();
  REQUIRE(doubt);
  CHECK_THAT(doubt->detail, ContainsSubstring("5 ms"));
}

TEST_CASE("who takes memory of a pool may take the machine longer, and not any time",
          "[core][timing]") {
  const double before_s = 5e-4, longer_s = before_s + policy::longer_outside_s + 5e-4;
  Clocks clocks(1e-3, 1e-3, before_s, longer_s);
  CHECK(clocks.doubt());
  clocks.timed.watches.back().allocates = true;
  CHECK_FALSE(clocks.doubt());
  clocks.timed.watches.back().outside_s = longer_s + policy::allocating_outside_s;
  CHECK(clocks.doubt());
}

TEST_CASE("variants that were not timed apart raise no doubt", "[core][timing]") {
  Clocks clocks(1e-3, 2e-3, 0, 0);
  clocks.timed.watches.clear();
  CHECK_FALSE(clocks.doubt());
}

TEST_CASE("times are disturbed by doubt or scatter, and by nothing else", "[core][timing]") {
  const auto disturbed = [](double beside_s, const Interval& ratio) {
    Clocks clocks(1e-3, beside_s, 5e-4, 5e-4);
    clocks.timing.ratio = ratio;
    return are_disturbed(clocks.timing, clocks.timed, TimingMode::device);
  };
  // A ratio at its target is no disturbance: asked again, it would be so once more, or pass by
  // luck.
  CHECK_FALSE(disturbed(1e-3, {2.0, 1.99, 2.01}));
  CHECK(disturbed(1.2e-3, {2.0, 1.99, 2.01}));
  CHECK(disturbed(1e-3, {1.36, 1.01, 1.71}));
}
