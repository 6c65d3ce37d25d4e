// Where the shared memory that a block is given grows with the size.
#include "runner/phases/shared_growth.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab;
using klab::runner::SharedGrowth;

namespace {

constexpr std::size_t limit = 227 << 10;
const Size highest{1000, 1'000'000};

/// As a kernel that keeps a row of floats, and some more.
SharedGrowth by_rows(std::size_t more) {
  SharedGrowth growth;
  for (const std::int64_t columns : {5, 64, 1024})
    growth.launched({3, columns}, 4 * static_cast<std::size_t>(columns) + more);
  return growth;
}

}  // namespace

TEST_CASE("around a block's shared memory are the last size that it has room for and the next",
          "[runner][shared]") {
  CHECK(by_rows(0).around(limit, highest) == std::vector<Size>{{3, 58'112}, {3, 58'113}});
  CHECK(by_rows(16).around(limit, highest) == std::vector<Size>{{3, 58'108}, {3, 58'109}});
  CHECK(by_rows(0).around(48 << 10, highest) == std::vector<Size>{{3, 12'288}, {3, 12'289}});
}

TEST_CASE("a line through sizes far apart is straight where rows grow by tiles",
          "[runner][shared]") {
  SharedGrowth growth;  // rows of whole tiles of 32 halves
  for (const std::int64_t columns : {5, 498, 511, 512, 513, 517})
    growth.launched({5, columns}, 64 * static_cast<std::size_t>((columns + 31) / 32));
  const auto sizes = growth.around(limit, highest);
  REQUIRE(sizes.size() == 2);
  const std::int64_t first = 32 * static_cast<std::int64_t>(limit / 64) + 1;
  CHECK(sizes[1][1] > first - 3000);
  CHECK(sizes[1][1] < first + 3000);
  CHECK(sizes[0][1] == sizes[1][1] - 1);
}

TEST_CASE("shared memory that does not grow, or not that far, names no size", "[runner][shared]") {
  CHECK(SharedGrowth().around(limit, highest).empty());
  SharedGrowth same;
  for (const std::int64_t columns : {5, 64, 1024}) same.launched({3, columns}, 4096);
  CHECK(same.around(limit, highest).empty());
  CHECK(by_rows(0).around(limit, {1000, 50'000}).empty());
  SharedGrowth both;  // sizes that differ in more than one extent tell of none
  both.launched({3, 5}, 20);
  both.launched({4, 64}, 256);
  CHECK(both.around(limit, highest).empty());
  SharedGrowth without;
  without.launched({3, 5}, 20);
  without.launched({3, 64}, 0);
  CHECK(without.around(limit, highest).empty());
}
