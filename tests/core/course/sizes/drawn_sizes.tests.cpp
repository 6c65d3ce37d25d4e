// Sizes that nobody knew before the check.
#include "core/course/sizes/drawn_sizes.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "core/course/sizes/smaller_size.hpp"

using namespace klab;

namespace {

Lab lab_of(Size timing, Size highest, std::int64_t most) {
  Lab lab;
  lab.sizes.drawn = SizeRange{Size(highest.size(), 1), std::move(highest), most, {}};
  lab.sizes.simulator = Size(timing.size(), 64);
  lab.sizes.timing = std::move(timing);
  return lab;
}

template <class Accepts>
bool any_of_extent(const std::vector<Size>& sizes, std::size_t dimension, Accepts accepts) {
  return std::any_of(sizes.begin(), sizes.end(),
                     [&](const Size& size) { return accepts(size[dimension]); });
}

}  // namespace

TEST_CASE("drawn sizes follow from the seed, and another seed draws others", "[core][sizes]") {
  const Lab lab = lab_of({262144, 512}, {300000, 20000}, 4000000);
  CHECK(drawn_sizes(lab, 7, false) == drawn_sizes(lab, 7, false));
  CHECK(drawn_sizes(lab, 7, false) != drawn_sizes(lab, 8, false));
  CHECK(drawn_sizes(lab, 7, false).size() == 2 * drawn_kind_count + drawn_remainder_count + 84);
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

TEST_CASE("every check meets, in every dimension, the extents at which mistakes hide",
          "[core][sizes]") {
  const Lab lab = lab_of({65536, 512}, {300000, 20000}, 4000000);
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (std::size_t dimension = 0; dimension < 2; ++dimension) {
      const auto sizes = drawn_sizes(lab, seed, false);
      const auto met = [&](auto accepts) { return any_of_extent(sizes, dimension, accepts); };
      INFO("seed " << seed << ", dimension " << dimension);
      CHECK(met([](std::int64_t n) { return n % 4096 == 0; }));
      CHECK(met([](std::int64_t n) { return n % 1024 == 0 && n % 4096 != 0; }));
      CHECK(met([](std::int64_t n) { return n % 32 == 0 && n % 1024 != 0; }));
      CHECK(met([](std::int64_t n) { return n % 2 == 1 && n > 1; }));
      for (const std::int64_t tile : {96, 160, 192, 224, 320, 384, 448, 480, 640})
        CHECK(met([&](std::int64_t n) { return n % tile == 0; }));
      CHECK(met([](std::int64_t n) { return n == 1; }));
      CHECK(met([&](std::int64_t n) { return n > lab.sizes.timing[dimension]; }));
      CHECK(met([&](std::int64_t n) { return n == lab.sizes.drawn->highest[dimension]; }));
    }
}

TEST_CASE("a last tile lacks one element, and one has no other, of all tiles of a single extent",
          "[core][sizes]") {
  Lab lab = lab_of({65536}, {3000000}, 4000000);
  lab.sizes.drawn->most_simulated_elements = 400000;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const std::int64_t tile : {64, 192, 256, 320, 768, 1024, 1280, 4096})
      for (const std::int64_t beside : {-1, 1}) {
        INFO("seed " << seed << ", tiles of " << tile << " and " << beside);
        CHECK(any_of_extent(drawn_sizes(lab, seed, true), 0, [&](std::int64_t n) {
          return n >= tile - 1 && (n - beside) % tile == 0;
        }));
      }
}

TEST_CASE("in every dimension a last tile of up to 256 lacks one element, and one has no other",
          "[core][sizes]") {
  const Lab lab = lab_of({65536, 512}, {300000, 20000}, 4000000);
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (std::size_t dimension = 0; dimension < 2; ++dimension)
      for (const std::int64_t beside : {-1, 1}) {
        INFO("seed " << seed << ", dimension " << dimension << ", " << beside);
        CHECK(any_of_extent(drawn_sizes(lab, seed, false), dimension,
                            [&](std::int64_t n) { return n > 1 && (n - beside) % 256 == 0; }));
      }
}

TEST_CASE("rows of every round length come several at a time, on the simulator as well",
          "[core][sizes]") {
  Lab lab = lab_of({262144, 512}, {1100000, 140000}, 4000000);
  lab.sizes.drawn->most_simulated_elements = 100000;
  for (std::uint64_t seed = 0; seed < 500; ++seed)
    for (std::size_t dimension = 0; dimension < 2; ++dimension)
      for (const std::int64_t unit : {4096, 1024, 32}) {
        INFO("seed " << seed << ", dimension " << dimension << ", multiples of " << unit);
        const auto sizes = drawn_sizes(lab, seed, true);
        CHECK(std::any_of(sizes.begin(), sizes.end(), [&](const Size& size) {
          return size[dimension] % unit == 0 && size[1 - dimension] >= 5;
        }));
      }
  lab.sizes.drawn->most_simulated_elements = 5000;  // too few for several
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    CHECK(any_of_extent(drawn_sizes(lab, seed, true), 1,
                        [](std::int64_t n) { return n % 4096 == 0; }));
}

TEST_CASE("every remainder of 16 is met in each dimension, and every pair of remainders of 4",
          "[core][sizes]") {
  const Lab lab = lab_of({65536, 512}, {300000, 20000}, 4000000);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto sizes = drawn_sizes(lab, seed, false);
    INFO("seed " << seed);
    std::set<std::int64_t> of_rows, of_columns, of_both;
    for (std::size_t i = 2 * drawn_kind_count; i < 2 * drawn_kind_count + drawn_remainder_count;
         ++i) {
      of_rows.insert(sizes[i][0] % 16);
      of_columns.insert(sizes[i][1] % 16);
      of_both.insert(sizes[i][0] % 4 * 4 + sizes[i][1] % 4);
    }
    CHECK(of_rows.size() == 16);
    CHECK(of_columns.size() == 16);
    CHECK(of_both.size() == 16);
  }
}

TEST_CASE("over many checks any two remainders of 16 meet", "[core][sizes]") {
  const Lab lab = lab_of({65536, 512}, {300000, 20000}, 4000000);
  std::set<std::pair<std::int64_t, std::int64_t>> met;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto sizes = drawn_sizes(lab, seed, false);
    for (std::size_t i = 0; i < drawn_remainder_count; ++i) {
      const Size& size = sizes[2 * drawn_kind_count + i];
      met.emplace(size[0] % 16, size[1] % 16);
    }
  }
  CHECK(met.size() == 256);
}

TEST_CASE("every check meets whole powers of two, in each dimension and in all at once",
          "[core][sizes]") {
  const auto sizes = drawn_sizes(lab_of({65536, 512}, {300000, 20000}, 4000000), 1, false);
  const auto met = [&](const Size& size) {
    return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
  };
  for (std::int64_t power = 128; power <= 8192; power *= 2) {
    CHECK(met({4, power}));
    CHECK(met({power, 4}));
  }
  for (std::int64_t power = 16; power <= 1024; power *= 2) CHECK(met({power, power}));
}

TEST_CASE("what is kept by a part of the size meets the next size", "[core][sizes]") {
  const Lab lab = lab_of({65536, 512}, {300000, 20000}, 4000000);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto sizes = drawn_sizes(lab, seed, false);
    const auto* last = &sizes[sizes.size() - 4];
    INFO("seed " << seed);
    // The second extent alone changes, then both do and the number of elements stays.
    CHECK(last[-2][0] == last[-1][0]);
    CHECK(last[-2][1] != last[-1][1]);
    CHECK(last[-3][0] != last[-2][0]);
    CHECK(last[-3][1] == last[-2][1]);
    CHECK(last[-1] != last[0]);
    CHECK(element_count(last[-1]) == element_count(last[0]));
  }
}

TEST_CASE("what is kept by a sum of the first extent and the elements meets the next size",
          "[core][sizes]") {
  const Lab lab = lab_of({1000, 512}, {70000, 10000}, 300000);
  const auto sum = [](const Size& size) { return size[0] + element_count(size); };
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto sizes = drawn_sizes(lab, seed, false);
    INFO("seed " << seed);
    const auto* last = &sizes[sizes.size() - 4];
    CHECK(last[0] != last[1]);
    CHECK(sum(last[0]) == sum(last[1]));
  }
}

TEST_CASE("what is kept by 31 times the first extent and the second meets the next size",
          "[core][sizes]") {
  const Lab lab = lab_of({1000, 512}, {70000, 10000}, 300000);
  const auto key = [](const Size& size) { return 31 * size[0] + size[1]; };
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto sizes = drawn_sizes(lab, seed, false);
    INFO("seed " << seed);
    CHECK(std::adjacent_find(sizes.begin(), sizes.end(), [&](const Size& one, const Size& next) {
            return one != next && key(one) == key(next);
          }) != sizes.end());
  }
}

TEST_CASE("one extent from 1 to 4 meets an odd and long one, either way", "[core][sizes]") {
  Lab lab = lab_of({1000, 512}, {70000, 10000}, 300000);
  lab.sizes.drawn->most_simulated_elements = 4000;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto sizes = drawn_sizes(lab, seed, true);
    for (std::size_t i = 0; i < 2; ++i)
      for (std::int64_t width = 1; width <= 4; ++width) {
        INFO("seed " << seed << ", dimension " << i << ", width " << width);
        CHECK(std::any_of(sizes.begin(), sizes.end(), [&](const Size& size) {
          return size[1 - i] == width && size[i] > 128 && size[i] % 2 == 1;
        }));
      }
  }
}

TEST_CASE("every width up to a warp's is met either way in some check", "[core][sizes]") {
  Lab lab = lab_of({1000, 512}, {70000, 10000}, 300000);
  lab.sizes.drawn->most_simulated_elements = 20000;
  for (const bool simulated : {false, true})
    for (std::size_t i = 0; i < 2; ++i)
      for (std::int64_t width = 5; width <= 32; ++width) {
        int met = 0;
        for (std::uint64_t seed = 0; seed < 80; ++seed) {
          const auto sizes = drawn_sizes(lab, seed, simulated);
          met += std::any_of(sizes.begin(), sizes.end(), [&](const Size& size) {
            return size[1 - i] == width && size[i] > 256 && size[i] <= 513;
          });
        }
        INFO("dimension " << i << ", width " << width);
        CHECK(met >= 8);
      }
}

TEST_CASE("each extent is whole tiles of 96 that are none of 128, beside more than a warp's lanes",
          "[core][sizes]") {
  const Lab lab = lab_of({512, 384}, {1000000, 1000000}, 140000);
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (std::size_t i = 0; i < 2; ++i) {
      const auto sizes = drawn_sizes(lab, seed, false);
      INFO("seed " << seed << ", dimension " << i);
      for (const std::int64_t whole : {64, 128})
        CHECK(std::any_of(sizes.begin(), sizes.end(), [&](const Size& size) {
          return size[i] % 96 == 0 && size[i] % whole != 0 && size[1 - i] > 32;
        }));
    }
}

TEST_CASE("each extent leaves one to three elements behind whole tiles of 49,152",
          "[core][sizes]") {
  const Lab lab = lab_of({512, 384}, {1000000, 1000000}, 2000000);
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (std::size_t i = 0; i < 2; ++i) {
      INFO("seed " << seed << ", dimension " << i);
      CHECK(any_of_extent(drawn_sizes(lab, seed, false), i, [](std::int64_t extent) {
        const auto rest = extent % 49152;
        return extent > 49152 && rest >= 1 && rest <= 3;
      }));
    }
}

TEST_CASE("all elements in one row lack one of a multiple of 1,024, and one extent of 131,072",
          "[core][sizes]") {
  Lab lab = lab_of({1000, 512}, {700000, 10000}, 4000000);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto sizes = drawn_sizes(lab, seed, false);
    INFO("seed " << seed);
    CHECK(std::any_of(sizes.begin(), sizes.end(),
                      [](const Size& size) { return element_count(size) % 1024 == 1023; }));
    CHECK(any_of_extent(sizes, 0,
                        [](std::int64_t n) { return n > 1 << 16 && (n + 1) % (1 << 17) == 0; }));
  }
}

TEST_CASE("a grid as large as the device shares some sizes out in short pieces, on a GPU",
          "[core][sizes]") {
  constexpr std::int64_t shortest = 1 << 19, longest = 1 << 22;
  const auto between = [&](std::int64_t n) { return n >= shortest && n <= longest; };
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    INFO("seed " << seed);
    const auto in = [&](const Lab& lab, std::size_t dimension, bool simulated) {
      const auto sizes = drawn_sizes(lab, seed, simulated);
      return std::count_if(sizes.begin(), sizes.end(),
                           [&](const Size& size) { return between(size[dimension]); });
    };
    const Lab one = lab_of({1000}, {20000000}, 20000000);
    CHECK(in(one, 0, false) >= 8);
    const Lab two = lab_of({1000, 50}, {11000000, 11000000}, 11000000);
    CHECK(in(two, 0, false) >= 4);
    CHECK(in(two, 1, false) >= 4);
    Lab simulated = one;
    simulated.sizes.drawn->most_simulated_elements = 100000;
    CHECK(in(simulated, 0, true) == 0);
  }
}

TEST_CASE("behind whole tiles of 512 there are a few elements, and some tiles lack a few",
          "[core][sizes]") {
  Lab lab = lab_of({4096, 4096, 4096}, {70000, 70000, 70000}, 200000000);
  lab.sizes.drawn->most_simulated_elements = 20000;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto sizes = drawn_sizes(lab, seed, true);
    for (std::size_t dimension = 0; dimension < 3; ++dimension) {
      INFO("seed " << seed << ", dimension " << dimension);
      const auto met = [&](std::int64_t low, std::int64_t high) {
        return any_of_extent(sizes, dimension, [&](std::int64_t n) {
          return n > 256 && n % 512 >= low && n % 512 <= high;
        });
      };
      CHECK(met(2, 15));
      CHECK(met(512 - 15, 512 - 2));
    }
  }
}

TEST_CASE("each extent is one whose reciprocal is too small, in float and in double",
          "[core][sizes]") {
  constexpr std::int64_t in_float = 41, in_double = 49;
  REQUIRE(static_cast<int>(in_float * (1.0f / in_float)) == 0);
  REQUIRE(static_cast<int>(in_double * (1.0 / in_double)) == 0);
  Lab lab = lab_of({262144, 512}, {300000, 20000}, 4000000);
  lab.sizes.drawn->most_simulated_elements = 20000;
  for (const bool simulated : {false, true})
    for (std::size_t dimension = 0; dimension < 2; ++dimension)
      for (const std::int64_t badly : {in_float, in_double})
        CHECK(any_of_extent(drawn_sizes(lab, 7, simulated), dimension,
                            [=](std::int64_t n) { return n == badly; }));
}

TEST_CASE("two sizes in a row agree in the last 16 bits of each extent", "[core][sizes]") {
  const Lab lab = lab_of({65536, 512}, {300000, 20000}, 4000000);
  const auto sizes = drawn_sizes(lab, 1, false);
  const Size &one = sizes[sizes.size() - 2], &twin = sizes.back();
  CHECK(one != twin);
  for (std::size_t i = 0; i < one.size(); ++i) CHECK((twin[i] - one[i]) % 65536 == 0);
}

TEST_CASE("the simulator draws from the same range, but less", "[core][sizes]") {
  const Lab lab = lab_of({262144, 512}, {300000, 20000}, 4000000);
  for (const Size& size : drawn_sizes(lab, 3, true)) CHECK(element_count(size) <= 64 * 64 / 8);
}

TEST_CASE("a lab may say how much its simulator takes", "[core][sizes]") {
  Lab lab = lab_of({262144, 512}, {300000, 20000}, 4000000);
  lab.sizes.drawn->most_simulated_elements = 100000;
  std::int64_t most = 0;
  for (const Size& size : drawn_sizes(lab, 3, true)) most = std::max(most, element_count(size));
  CHECK(most > 20000);
  CHECK(most <= 100000);
}

TEST_CASE("a lab without a range draws nothing", "[core][sizes]") {
  CHECK(drawn_sizes(Lab{}, 1, false).empty());
}

TEST_CASE("the product of extents never overflows", "[core][sizes]") {
  const std::int64_t large = std::int64_t{1} << 40;
  CHECK(element_count({large, large, large}) == INT64_MAX);
  CHECK(element_count({3, 5}) == 15);
}

TEST_CASE("a size too large for a GPU has one in its place just beyond 2^32 elements",
          "[core][course]") {
  constexpr std::int64_t beyond = std::int64_t{1} << 32;
  for (const Size& size : {Size{12884902391}, Size{51539608055, 3}, Size{1, 51539608055},
                           Size{100663297, 513}, Size{1048575, 24611}, Size{4294967295, 1}}) {
    const Size smaller = just_beyond_unsigned(size);
    CAPTURE(size);
    const std::int64_t longest = *std::max_element(smaller.begin(), smaller.end());
    const std::int64_t left = std::max(longest, longest > beyond ? 0 : element_count(smaller));
    if (element_count(size) > beyond) {
      CHECK(left > beyond);
      CHECK(left < beyond + beyond / 100);
    } else {
      CHECK(smaller == size);
    }
  }
}
