// What launches that are too long to be tried are told by.
#include "runner/verify/expected_time.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace klab;
using namespace klab::runner;

TEST_CASE("what a launch takes grows with its extent, but for what all launches take",
          "[runner][expected-time]") {
  CHECK(expected_seconds({100, 1e-3}, {1100, 2e-3}, 10'100) == Catch::Approx(11e-3));
  CHECK(expected_seconds({100, 1e-3}, {1100, 1e-3}, 1'000'000) == Catch::Approx(1e-3));
}

TEST_CASE("a first launch that took longer, or an extent that is no longer, tells of no growth",
          "[runner][expected-time]") {
  CHECK(expected_seconds({100, 5e-3}, {1100, 1e-3}, 1'000'000) == Catch::Approx(1e-3));
  CHECK(expected_seconds({1, 1e-3}, {1, 2e-3}, 3) == Catch::Approx(2e-3));
}

namespace {

/// A launch that takes so long for each unit of its first extent; `held_up`: one of a short one.
auto launches(double each_s, double held_up) {
  return [=](const Size& size) {
    return each_s * static_cast<double>(size.front()) + (size.front() == 1 ? held_up : 0);
  };
}

}  // namespace

TEST_CASE("a launch is told to take long by its parts, though something held up the shortest",
          "[runner][expected-time]") {
  // In parts of the second the other extent is the longest one.
  for (const Size& size : {Size{70'001, 3}, Size{70'001, 30'701}})
    for (const double held_up : {0.0, 9e-3}) {
      CHECK(takes_longer(1, size, launches(5e-4, held_up)));
      CHECK_FALSE(takes_longer(1, size, launches(1e-6, held_up)));
    }
}

TEST_CASE("the longest extent alone is shortened, and stays one at least",
          "[runner][expected-time]") {
  std::vector<Size> tried;
  CHECK_FALSE(takes_longer(1, {3, 70'001}, [&](const Size& size) {
    tried.push_back(size);
    return 1e-6;
  }));
  CHECK(tried == std::vector<Size>{{3, 1}, {3, 17}, {3, 273}});
}
