// Sizes beyond 32-bit indices, and right below where these end.
#include "core/course/sizes/huge_sizes.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "core/course/sizes/drawn_sizes.hpp"

using namespace klab;

TEST_CASE("right above 2^31 there is a size right below it as well, and one below 2^32 is last",
          "[core][sizes]") {
  Lab lab;
  lab.sizes.huge = {{4294967311, 3}, {2147483663, 3}};
  std::set<std::int64_t> below_int, below_unsigned;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const auto sizes = huge_sizes(lab, seed);
    REQUIRE(sizes.size() == 4);
    CHECK(sizes[1] == Size{2147483663, 3});
    CHECK(sizes[2][1] == 3);
    CHECK(sizes[3][1] == 3);
    below_int.insert(sizes[2][0]);
    below_unsigned.insert(sizes[3][0]);
  }
  CHECK(*below_int.begin() == 2147483648 - 255);
  CHECK(*below_int.rbegin() == 2147483647);
  CHECK(*below_unsigned.begin() == 4294967296 - 255);
  CHECK(*below_unsigned.rbegin() == 4294967295);
}

TEST_CASE("huge sizes have no rest by turns, or one element more than whole tiles",
          "[core][sizes]") {
  const auto first = [](const Size& size, std::uint64_t seed) {
    Lab lab;
    lab.sizes.huge = {size};
    return huge_sizes(lab, seed).front();
  };
  const Size odd = {2147486051, 513, 3};
  CHECK(first(odd, 0) == odd);
  CHECK(first(odd, 1) == Size{2147486080, 516, 3});
  CHECK(first(odd, 4) == Size{2147486052, 516, 3});
  const Size more = first(odd, 2);
  for (const std::int64_t tile : {512, 768, 5120, 8192}) CHECK(more[0] % tile == 1);
  CHECK(more[1] == 513);
  // What a contract allows at most stays, and so does the side of 2^32.
  CHECK(first({65535, 32771}, 1) == Size{65535, 32896});
  for (const std::uint64_t seed : {0, 1, 2}) CHECK(first({4294967295, 1}, seed)[0] == 4294967295);
}

TEST_CASE("huge sizes behind the first take turns as well, but for those at an end of 32 bits",
          "[core][sizes]") {
  Lab lab;
  lab.sizes.huge = {{1048576, 2051}, {1048575, 12307}, {2147483647, 1}};
  CHECK(huge_sizes(lab, 2)[1] == Size{1048575, 12307});
  CHECK(huge_sizes(lab, 0)[1] == Size{1048576, 12416});
  CHECK(huge_sizes(lab, 3)[1] == Size{1048576, 12308});
  for (const std::uint64_t seed : {0, 1, 2}) CHECK(huge_sizes(lab, seed)[2][0] == 2147483647);
}

TEST_CASE("where no size lies beyond them there is none below them", "[core][sizes]") {
  Lab lab;
  lab.sizes.huge = {{2100000000, 3}};
  CHECK(huge_sizes(lab, 1) == lab.sizes.huge);
}

TEST_CASE(
    "in between lie sizes that a GPU draws, more than the simulator runs and fewer than an int "
    "counts",
    "[core][sizes]") {
  Lab lab;
  lab.sizes.timing = {1000, 1000};
  CHECK(sizes_to_try_in_part(lab, 1).empty());
  lab.sizes.drawn = SizeRange{.lowest = {1, 1},
                              .highest = {1'000'000, 1'000'000},
                              .most_elements = 4'000'000,
                              .most_simulated_elements = 100'000};
  std::set<Size> all;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto sizes = sizes_to_try_in_part(lab, seed);
    CHECK(sizes == sizes_to_try_in_part(lab, seed));
    CHECK(sizes.size() == 2);
    for (const Size& size : sizes) {
      CHECK(element_count(size) > 100'000);
      CHECK(element_count(size) <= 4'000'000);
    }
    all.insert(sizes.begin(), sizes.end());
  }
  CHECK(all.size() > 100);
}
