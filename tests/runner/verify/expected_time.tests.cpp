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

TEST_CASE("the longest extent is shortened, and stays one at least", "[runner][expected-time]") {
  CHECK(with_shorter_extent({1, 8192}, 4096) == Size{1, 2});
  CHECK(with_shorter_extent({70'001, 3}, 100'000) == Size{1, 3});
}
