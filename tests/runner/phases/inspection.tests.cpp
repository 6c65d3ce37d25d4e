// What is decided from bytes and numbers alone: differences, poison, seeds, idle time, clocks.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "runner/gpu/nvml.hpp"
#include "runner/gpu/trace_cupti.hpp"
#include "runner/phases/trial.hpp"
#include "runner/problem/problem_memory.hpp"

using namespace klab;
using namespace klab::runner;
using Catch::Matchers::WithinAbs;

TEST_CASE("the first difference of two ranges is found, wherever it lies", "[runner][memory]") {
  const std::vector<std::byte> a(1000, std::byte{5});
  for (const std::size_t at : {0, 1, 7, 8, 511, 999}) {
    auto b = a;
    b[at] = std::byte{6};
    if (at + 1 < b.size()) b.back() = std::byte{9};
    CHECK(first_difference(a.data(), b.data(), a.size()) == at);
  }
  CHECK_FALSE(first_difference(a.data(), a.data(), a.size()));
  CHECK_FALSE(first_difference(a.data(), a.data(), 0));
}

TEST_CASE("a guard band with one foreign byte is not intact", "[runner][memory]") {
  const unsigned char guard = marks_of(1).guard;
  std::vector<std::byte> band(guard_bytes, std::byte{guard});
  CHECK_FALSE(first_other(band.data(), band.size(), guard));
  band[guard_bytes - 1] = std::byte{0};
  CHECK(first_other(band.data(), band.size(), guard) == guard_bytes - 1);
}

TEST_CASE("poison is told from a value that looks like it in part", "[runner][memory]") {
  const std::array<std::byte, 4> poisoned = {std::byte{0xFF}, std::byte{0xFF}, std::byte{0xFF},
                                             std::byte{0xFF}};
  CHECK(is_poison(poisoned.data(), 4, 0xFF));
  CHECK_FALSE(is_poison(poisoned.data(), 4, 0x7F));
  auto written = poisoned;
  written[2] = std::byte{0x7F};
  CHECK_FALSE(is_poison(written.data(), 4, 0xFF));
}

TEST_CASE("every size and turn of a check gets inputs of its own", "[runner][verify]") {
  std::set<std::uint64_t> seeds;
  int made = 0;
  for (const std::uint64_t seed : {0ull, 1ull, 12345ull, ~0ull})
    for (const Size& size : {Size{1}, Size{2}, Size{1, 2}, Size{2, 1}, Size{1001, 8}})
      for (const int turn : {0, 1}) {
        seeds.insert(derived_seed(seed, size, turn));
        ++made;
      }
  CHECK(static_cast<int>(seeds.size()) == made);
  CHECK(derived_seed(7, {3, 4}, 1) == derived_seed(7, {3, 4}, 1));
}

TEST_CASE("a few large kernels beside many small ones do not change how many blocks a kernel has",
          "[runner][trace]") {
  CHECK_FALSE(blocks_in_the_middle({}));
  CHECK(blocks_in_the_middle({16, 16, 9600, 16}) == 16);
  CHECK(blocks_in_the_middle({1, 4096}) == 4096);
}

TEST_CASE("idle time is what no span covers between the first start and the last end",
          "[runner][trace]") {
  CHECK_FALSE(idle_pct({}));
  CHECK_FALSE(idle_pct({{100, 100}}));
  CHECK_THAT(*idle_pct({{100, 200}}), WithinAbs(0, 1e-12));
  CHECK_THAT(*idle_pct({{100, 200}, {300, 400}}), WithinAbs(100.0 / 3, 1e-9));
  // Overlap counts once, order does not matter, one span may lie within another.
  CHECK_THAT(*idle_pct({{300, 500}, {100, 400}, {150, 160}}), WithinAbs(0, 1e-12));
  CHECK_THAT(*idle_pct({{0, 100}, {50, 60}, {150, 200}}), WithinAbs(25, 1e-9));
}

TEST_CASE("a copy runs alone while neither a kernel nor another copy runs", "[runner][trace]") {
  CHECK_FALSE(alone_pct({}, {}));
  CHECK_THAT(*alone_pct({}, {{100, 200}}), WithinAbs(0, 1e-12));
  // In, kernel, out, one after the other.
  CHECK_THAT(*alone_pct({{0, 100}, {200, 300}}, {{100, 200}}), WithinAbs(200.0 / 3, 1e-9));
  // The second copy in lies beside the kernel, and beside the first copy out.
  CHECK_THAT(*alone_pct({{0, 100}, {100, 200}, {150, 250}}, {{100, 150}}), WithinAbs(60, 1e-9));
  // What nobody fills is idle, and no copy's.
  CHECK_THAT(*alone_pct({{0, 100}}, {{300, 400}}), WithinAbs(25, 1e-9));
}

TEST_CASE("throttle reasons are named, and idling is none", "[runner][nvml]") {
  CHECK(name_throttle_reasons(0).empty());
  CHECK(name_throttle_reasons(0x1 | 0x2).empty());
  CHECK(name_throttle_reasons(0x4 | 0x20) ==
        std::vector<std::string>{"power cap", "thermal slowdown"});
}
