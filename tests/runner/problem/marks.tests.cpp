// What stands in buffers before a launch tells nothing about the launch.
#include "runner/problem/problem_memory.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <set>

using namespace klab;
using namespace klab::runner;

TEST_CASE("poison and guards are drawn from many bytes, none of which is a plausible number",
          "[runner][memory]") {
  std::set<int> poisons, guards;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Marks marks = marks_of(seed);
    poisons.insert(marks.poison);
    guards.insert(marks.guard);
  }
  CHECK(poisons.size() == 64);
  CHECK(guards.size() == 64);
  for (const int byte : poisons) {
    float number = 0;
    std::memset(&number, byte, sizeof(number));
    CAPTURE(byte, number);
    CHECK((std::isnan(number) || std::fabs(number) > 1e19f));
  }
}
