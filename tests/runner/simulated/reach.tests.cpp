// Where a block that goes on may find something new.
#include "runner/simulated/reach.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab::runner;

TEST_CASE("what goes on finds something new where an index begins anew, and at the end",
          "[runner][reach]") {
  constexpr std::uint64_t million = 1'000'000, gigabyte = std::uint64_t{1} << 30,
                          all = 200 * gigabyte;
  STATIC_CHECK_FALSE(passes_landmark(16 * million, 256 * million, all, 4));
  STATIC_CHECK(passes_landmark(16 * million, 2 * gigabyte, all, 4));  // 2^31 bytes
  STATIC_CHECK_FALSE(passes_landmark(5 * gigabyte, 7 * gigabyte, all, 4));
  STATIC_CHECK(passes_landmark(5 * gigabyte, 8 * gigabyte, all, 4));   // 2^31 floats
  STATIC_CHECK(passes_landmark(9 * gigabyte, 16 * gigabyte, all, 4));  // 2^32 floats
  STATIC_CHECK(passes_landmark(17 * gigabyte, all, all, 4));
  // What has been there already is nothing new.
  STATIC_CHECK_FALSE(passes_landmark(16 * million, 32 * million, 16 * million, 4));
}
