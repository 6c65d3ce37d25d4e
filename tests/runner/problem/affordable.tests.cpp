// Pieces of the host's memory that a launch takes, and sizes that they leave room for.
#include "runner/problem/affordable.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab;
using namespace klab::runner;

namespace {

const VariantName mine = VariantName::mine;
constexpr std::size_t huge = std::size_t{3} << 32;

/// Launches of two extents, the second of which is a length, that take what `bytes` says.
template <class Bytes>
Affordable after(const Bytes& bytes) {
  Affordable affordable;
  for (const Size& size : {Size{1, 1}, Size{33, 7}, Size{1, 60000}, Size{1000, 5}, Size{60000, 1}})
    affordable.took(mine, size, static_cast<std::size_t>(size[0] * size[1]), bytes(size));
  return affordable;
}

}  // namespace

TEST_CASE("a piece that grows with the elements leaves no room for the hugest ones",
          "[runner][affordable]") {
  const auto affordable =
      after([](const Size& size) { return static_cast<std::uint64_t>(size[0] * size[1]) * 8; });
  CHECK_FALSE(affordable.leaves_memory(mine, {1, std::int64_t{huge}}, huge));
  CHECK(affordable.leaves_memory(mine, {1, 100000}, 100000));
}

TEST_CASE("a piece that follows one extent is as large as that extent has it",
          "[runner][affordable]") {
  const auto affordable =
      after([](const Size& size) { return static_cast<std::uint64_t>(size[0]) * 8; });
  CHECK(affordable.leaves_memory(mine, {1, std::int64_t{huge}}, huge));
  CHECK(affordable.leaves_memory(mine, {70001, 184069}, huge));
  CHECK_FALSE(affordable.leaves_memory(mine, {std::int64_t{huge}, 1}, huge));
}

TEST_CASE("a piece that follows an extent in part alone counts by the elements",
          "[runner][affordable]") {
  const auto affordable = after([](const Size& size) {
    return static_cast<std::uint64_t>(size[0] + size[0] * size[1] / 256) * 8;
  });
  CHECK_FALSE(affordable.leaves_memory(mine, {1, std::int64_t{huge}}, huge));
}

TEST_CASE("a size is short by what its own launch took, or where nobody counts",
          "[runner][affordable]") {
  Affordable affordable;
  CHECK(affordable.took_no_more(mine, {9, 1000}, 0.01));
  affordable.launched(mine, {9, 1000}, 0.2);
  affordable.launched(mine, {9, 2}, 0.0004);
  CHECK_FALSE(affordable.took_no_more(mine, {9, 1000}, 0.01));
  CHECK(affordable.took_no_more(mine, {9, 2}, 0.01));
  CHECK_FALSE(affordable.took_no_more(mine, {9, 3}, 0.01));  // not tried
}

TEST_CASE("what a grid takes to begin does not grow with the size", "[runner][affordable]") {
  Affordable affordable;
  affordable.launched(mine, {1, 1}, 0.001);
  CHECK_FALSE(affordable(mine, {1'000'000, 1}));
  affordable.launched(mine, {3, 1}, 0.001);  // too near to tell
  CHECK_FALSE(affordable(mine, {1'000'000, 1}));
  affordable.launched(mine, {1000, 1}, 0.0011);
  CHECK(affordable(mine, {1'000'000, 1}));
  CHECK_FALSE(affordable(mine, {10'000'000, 1}));
  // One that has grown by what it takes is no faster than its size.
  Affordable grown;
  grown.launched(mine, {1, 1}, 0.0001);
  grown.launched(mine, {1000, 1}, 0.1);
  CHECK_FALSE(grown(mine, {1'000'000, 1}));
}
