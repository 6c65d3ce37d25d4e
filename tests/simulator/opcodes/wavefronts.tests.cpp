// Passes of shared memory: which lanes go together, by the width and the direction of an access.
#include <array>
#include <catch2/catch_test_macros.hpp>

#include "simulator/opcodes/access/pattern.hpp"

using namespace klab::sim;

namespace wavefronts_tests {
namespace {

/// Lanes of `mask` access `bytes` each; lane i at element (i * times + by) mod 64 * gap.
Wavefronts passes(AccessKind kind, std::uint32_t bytes, std::uint32_t mask, std::uint32_t times,
                  std::uint32_t by, std::uint32_t gap) {
  std::array<std::uint64_t, lane_count> addresses;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane)
    addresses[lane] = std::uint64_t{(lane * times + by) % 64} * gap * bytes;
  return count_wavefronts(addresses.data(), mask, bytes, kind);
}

}  // namespace

TEST_CASE("A wide store goes by halves or quarters of a warp, however few lanes store",
          "[simulator][counts]") {
  struct Case {
    std::uint32_t bytes, mask, times, by, gap;
    std::uint32_t total, ideal;  // as an H200 counted them for one store
  };
  for (const Case& one :
       {Case{8, 0x10000420, 21, 32, 35, 2, 2}, Case{8, 0xa0820040, 27, 46, 28, 3, 2},
        Case{8, 0x0c194244, 37, 47, 34, 4, 2}, Case{16, 0x2140224, 13, 61, 32, 6, 4},
        Case{16, 0x142108, 27, 34, 2, 3, 3}, Case{16, 0x12100000, 21, 40, 32, 3, 2},
        Case{16, 0x88100a40, 13, 51, 4, 6, 4}}) {
    CAPTURE(one.bytes, one.mask);
    const Wavefronts store =
        passes(AccessKind::store, one.bytes, one.mask, one.times, one.by, one.gap);
    CHECK(store.total == one.total);
    CHECK(store.ideal == one.ideal);
    // Of a load fewer passes are needed: no active lane disagrees with its neighbour.
    CHECK(passes(AccessKind::load, one.bytes, one.mask, one.times, one.by, one.gap).ideal <
          one.ideal);
  }
}

}  // namespace wavefronts_tests
