// What is kept by one extent alone is too short for one of the first sizes.
#include "core/course/sizes/first_sizes.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/course/sizes/drawn_sizes.hpp"

using namespace klab;

namespace {

Lab lab_of(Size lowest, Size highest) {
  Lab lab;
  lab.sizes.drawn = SizeRange{std::move(lowest), std::move(highest), 100000, {}};
  return lab;
}

/// Room for all elements that is made anew when that extent grows: whether it is ever too short.
bool overruns(const std::vector<Size>& sizes, std::size_t extent) {
  std::int64_t longest = 0, room = 0;
  return std::any_of(sizes.begin(), sizes.end(), [&](const Size& size) {
    if (size[extent] > longest) {
      longest = size[extent];
      room = element_count(size);
    }
    return element_count(size) > room;
  });
}

}  // namespace

TEST_CASE("room that grows with one extent alone is too short for one of the first sizes",
          "[core][sizes]") {
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const std::size_t extents : {2, 3}) {
      const auto sizes = first_sizes(lab_of(Size(extents, 1), Size(extents, 5000)), seed);
      for (std::size_t i = 0; i < extents; ++i) {
        INFO("seed " << seed << ", extent " << i << " of " << extents);
        CHECK(overruns(sizes, i));
      }
    }
}

TEST_CASE("first sizes are within the lab's range, and there are none of one extent",
          "[core][sizes]") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Lab lab = lab_of({2, 4}, {30, 20});
    for (const Size& size : first_sizes(lab, seed)) CHECK(lab.sizes.drawn->holds(size));
  }
  CHECK(first_sizes(lab_of({1}, {5000}), 1).empty());
  CHECK(first_sizes(Lab(), 1).empty());
}

TEST_CASE("a second look tries each extent long, the others short, as far as the lab allows",
          "[core][sizes]") {
  Lab lab = lab_of({1, 1, 2}, {5000, 5000, 16});
  lab.sizes.checking = {{7, 7, 7}};
  const std::vector<Size> expected{{7, 7, 7}, {200, 3, 3}, {3, 200, 3}, {3, 3, 16}};
  CHECK(looked_sizes(lab) == expected);
  lab.sizes.drawn.reset();
  CHECK(looked_sizes(lab) == lab.sizes.checking);
}
