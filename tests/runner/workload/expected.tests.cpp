// When a result is accepted, and what unusual inputs hold.
#include "runner/workload/expected.cuh"

#include <catch2/catch_test_macros.hpp>
#include <cfloat>
#include <cmath>
#include <set>

#include "runner/workload/random.cuh"
#include "runner/workload/workload.hpp"

using namespace klab;

TEST_CASE("a finite result is accepted within its tolerance, and NaN never in its place",
          "[runner][workload]") {
  CHECK(accepted(1.0f, {1.0, 0}));
  CHECK(accepted(1.5f, {1.0, 0.5}));
  CHECK_FALSE(accepted(1.6f, {1.0, 0.5}));
  CHECK_FALSE(accepted(NAN, {1.0, 0.5}));
  CHECK_FALSE(accepted(INFINITY, {1.0, 0.5}));
  CHECK(accepted(3, {3.0, 0}));
}

TEST_CASE("NaN and infinity are accepted only where they are right", "[runner][workload]") {
  CHECK(accepted(NAN, {NAN, 0}));
  CHECK_FALSE(accepted(0.0f, {NAN, 0}));
  CHECK(accepted(-INFINITY, {-INFINITY, 0}));
  CHECK_FALSE(accepted(INFINITY, {-INFINITY, 0}));
  CHECK_FALSE(accepted(FLT_MAX, {INFINITY, 0}));
  // Too large for a float, or within the tolerance of it.
  CHECK(accepted(INFINITY, {1e39, 1e30}));
  CHECK(accepted(INFINITY, {3.4e38, 1e37}));
  CHECK_FALSE(accepted(-INFINITY, {1e39, 1e30}));
  CHECK_FALSE(accepted(INFINITY, {3e38, 1e30}));
}

TEST_CASE("a zero that is copied keeps its sign, one that is computed need not",
          "[runner][workload]") {
  CHECK(accepted(-0.0f, {-0.0, 0}));
  CHECK_FALSE(accepted(0.0f, {-0.0, 0}));
  CHECK_FALSE(accepted(-0.0f, {0.0, 0}));
  CHECK(accepted(0.0f, {-0.0, 1e-30}));
  CHECK(accepted(0u, {0.0, 0}));
}

TEST_CASE("a tolerance that is no number accepts the value alone", "[runner][workload]") {
  CHECK(accepted(2.0f, {2.0, INFINITY}));
  CHECK_FALSE(accepted(7.0f, {2.0, INFINITY}));
  CHECK_FALSE(accepted(7.0f, {2.0, NAN}));
}

TEST_CASE(
    "special values come many, few, or all the same, as the seed says, and only those allowed",
    "[runner][workload]") {
  const Specials all{-1, 1, 1e30f}, finite{-1, 1, 1e30f, false, false};
  std::set<int> shares;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    int special = 0;
    std::set<float> values;
    for (std::uint64_t i = 0; i < 4096; ++i) {
      const float value = all(seed, i);
      special += !(std::fabs(value) <= 1) || value == 0;
      CHECK(std::isfinite(finite(seed, i)));
    }
    for (std::uint64_t i = 0; i < 64; ++i) values.insert(finite(seed, i));
    shares.insert(values.size() == 1 ? -1 : special > 400 ? 2 : special > 0 ? 1 : 0);
  }
  CHECK(shares == std::set<int>{-1, 0, 1, 2});  // 0: a single one, further behind
}

TEST_CASE("no numbers come with a sign and without", "[runner][workload]") {
  const Specials all{-1, 1, 1e30f};
  std::set<bool> signs;
  for (std::uint64_t seed = 0; seed < 64; ++seed)
    for (std::uint64_t i = 0; i < 4096; ++i)
      if (const float value = all(seed, i); std::isnan(value)) signs.insert(std::signbit(value));
  CHECK(signs.size() == 2);
}

TEST_CASE("some seeds make special values so rare that one stands alone", "[runner][workload]") {
  const Specials all{-1, 1, 1e30f};
  int alone = 0;
  for (std::uint64_t seed = 0; seed < 256; ++seed) {
    int special = 0;
    for (std::uint64_t i = 0; i < 256; ++i) special += !(std::fabs(all(seed, i)) <= 1);
    alone += special == 1 && !(std::fabs(all(seed, 0)) <= 1);
  }
  CHECK(alone > 8);
}

TEST_CASE("of two inputs each special value meets each of the other in some seeds",
          "[runner][workload]") {
  const Specials one{-1, 1, 1e30f}, other{-1, 1, 1e30f, true, true, 10};
  int both = 0;
  for (std::uint64_t seed = 0; seed < 1024; ++seed) {
    bool meet = false;
    for (std::uint64_t i = 0; i < 100; ++i)
      meet |= one(seed, i) == INFINITY && other(hash(seed, 1), i) == -INFINITY;
    both += meet;
  }
  CHECK(both > 10);
}

TEST_CASE("some seeds have a single large value somewhere, others values that grow to the largest",
          "[runner][workload]") {
  const Specials finite{-1, 1, 1e30f, false, false};
  int single = 0, growing = 0;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    int large = 0, last_large = 0;
    for (std::uint64_t i = 0; i < 4096; ++i) large += std::fabs(finite(seed, i)) == 1e30f;
    for (std::uint64_t i = 128; i < 192; ++i) last_large += std::fabs(finite(seed, i)) > 1e20f;
    single += large == 1;
    growing += last_large == 64;
  }
  CHECK(single > 1);
  CHECK(growing > 2);
}

TEST_CASE("a choice within a choice is made apart from it", "[runner][workload]") {
  const Either left{Either{Constant<int>{1}, Constant<int>{2}}, Constant<int>{3}};
  const Either right{Constant<float>{4},
                     OrSmall{Either{Constant<float>{5}, Constant<float>{6}}, 0}};
  std::set<float> drawn;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    drawn.insert(static_cast<float>(left(seed, 0)));
    drawn.insert(right(seed, 0));
  }
  CHECK(drawn == std::set<float>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("values of an array may stand next to the problem's scalars", "[runner][workload]") {
  struct Limits {
    float low;
  };
  const auto beside = [](const Limits& limits, std::uint64_t, std::uint64_t) { return limits.low; };
  const Sometimes field{Constant<float>{1}, beside};
  CHECK(detail::drawn_from(field, Limits{7}, true, 0, 0) == 7);
  CHECK(detail::drawn_from(field, Limits{7}, false, 0, 0) == 1);
}

TEST_CASE("what a field sometimes holds is drawn for unusual problems alone",
          "[runner][workload]") {
  const Sometimes field{Constant<float>{1}, Constant<float>{-1}};
  for (const std::uint64_t seed : {0ull, 7ull, ~0ull}) {
    CHECK(detail::drawn_from(field, detail::NoArgs{}, false, seed, 0) == 1);
    CHECK(detail::drawn_from(field, detail::NoArgs{}, true, seed, 0) == -1);
  }
}
