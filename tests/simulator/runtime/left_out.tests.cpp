// What is noticed of work at sizes beyond this machine's memory.
#include "simulator/runtime/state/left_out.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab::sim;

TEST_CASE("a copy as long as the last 32 bits of an array's size is cut short, any other is not",
          "[sim][part]") {
  constexpr std::uint64_t base = 0x1000, bytes = (std::uint64_t{3} << 32) + 400;
  Allocations allocations;
  allocations.add(base, {.bytes = bytes});
  const auto noticed = [&](std::uint64_t address, std::uint64_t of_copy) {
    LeftOut left_out;
    left_out.notice_cut_short(allocations, reinterpret_cast<const void*>(address), of_copy);
    return left_out.cut_short > 0;
  };
  CHECK(noticed(base, 400));
  CHECK_FALSE(noticed(base, bytes));
  CHECK_FALSE(noticed(base, 404));
  CHECK_FALSE(noticed(base + 400, 400));
  allocations.add(2 * bytes, {.bytes = 400});  // all of a small one
  CHECK_FALSE(noticed(2 * bytes, 400));
}
