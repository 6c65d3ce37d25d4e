// Sizes that nobody knew before the check.
#include "core/check/drawn_sizes.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

using namespace klab;

namespace {

Lab lab_of(Size timing, Size highest, std::int64_t most) {
  Lab lab;
  lab.sizes.drawn = SizeRange{Size(highest.size(), 1), std::move(highest), most};
  lab.sizes.simulator = Size(timing.size(), 64);
  lab.sizes.timing = std::move(timing);
  return lab;
}

template <class Accepts>
bool any_extent(const std::vector<Size>& sizes, Accepts accepts) {
  return std::any_of(sizes.begin(), sizes.end(), [&](const Size& size) {
    return std::any_of(size.begin(), size.end(), accepts);
  });
}

}  // namespace

TEST_CASE("drawn sizes follow from the seed, and another seed draws others", "[core][sizes]") {
  const Lab lab = lab_of({262144, 512}, {300000, 20000}, 4000000);
  CHECK(drawn_sizes(lab, 7, false) == drawn_sizes(lab, 7, false));
  CHECK(drawn_sizes(lab, 7, false) != drawn_sizes(lab, 8, false));
  CHECK(drawn_sizes(lab, 7, false).size() == drawn_size_count);
}

TEST_CASE("every draw stays within the range and below its number of elements", "[core][sizes]") {
  const Lab lab = lab_of({262144, 512}, {300000, 20000}, 4000000);
  for (std::uint64_t seed = 0; seed < 500; ++seed)
    for (const Size& size : drawn_sizes(lab, seed, false)) {
      INFO("seed " << seed << ", size " << to_string(size));
      REQUIRE(size.size() == 2);
      for (std::size_t i = 0; i < 2; ++i) {
        CHECK(size[i] >= 1);
        CHECK(size[i] <= lab.sizes.drawn->highest[i]);
      }
      CHECK(element_count(size) <= 4000000);
    }
}

TEST_CASE("every check meets the extents at which mistakes hide", "[core][sizes]") {
  const Lab lab = lab_of({262144, 512}, {300000, 20000}, 4000000);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto sizes = drawn_sizes(lab, seed, false);
    INFO("seed " << seed);
    CHECK(any_extent(sizes, [](std::int64_t n) { return n % 4096 == 0; }));
    CHECK(any_extent(sizes, [](std::int64_t n) { return n % 32 == 0 && n % 1024 != 0; }));
    CHECK(any_extent(sizes, [](std::int64_t n) { return n % 2 == 1 && n > 1; }));
    CHECK(any_extent(sizes, [](std::int64_t n) { return n == 1; }));
    CHECK(std::any_of(sizes.begin(), sizes.end(),
                      [](const Size& size) { return size[0] > 262144 || size[1] > 512; }));
  }
}

TEST_CASE("many checks go beyond the timed extent in every dimension", "[core][sizes]") {
  const Lab lab = lab_of({64, 100000}, {3000, 200000}, 400000);
  int beyond_first = 0, beyond_second = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const Size& size : drawn_sizes(lab, seed, false)) {
      beyond_first += size[0] > 64;
      beyond_second += size[1] > 100000;
    }
  CHECK(beyond_first > 100);
  CHECK(beyond_second > 50);
}

TEST_CASE("the simulator draws from the same range, but less", "[core][sizes]") {
  const Lab lab = lab_of({262144, 512}, {300000, 20000}, 4000000);
  for (const Size& size : drawn_sizes(lab, 3, true)) CHECK(element_count(size) <= 64 * 64 / 8);
}

TEST_CASE("a lab without a range draws nothing", "[core][sizes]") {
  CHECK(drawn_sizes(Lab{}, 1, false).empty());
}

TEST_CASE("the product of extents never overflows", "[core][sizes]") {
  const std::int64_t large = std::int64_t{1} << 40;
  CHECK(element_count({large, large, large}) == INT64_MAX);
  CHECK(element_count({3, 5}) == 15);
}
