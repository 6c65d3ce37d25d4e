// Looking at 32 addresses once, so that the same relative addresses need no second look.
#include "simulator/opcodes/access/pattern_cache.hpp"

namespace klab::sim {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

namespace {

// Loops without branches, which the compiler makes vectors of: addresses that change with every
// access come through here each time.
void find_shapes(Pattern& pattern, u32 element_bytes) {
  for (u32 g = 0; g < 4; ++g) {
    const i64* relative = pattern.relative + 8 * g;
    i64 apart = 0, uneven = 0;
    for (u32 i = 0; i < 8; ++i) {
      apart |= relative[i] ^ relative[0];
      uneven |= relative[i] ^ (relative[0] + i64{i} * element_bytes);
    }
    pattern.group[g] = apart == 0    ? GroupShape::broadcast
                       : uneven == 0 ? GroupShape::contiguous
                                     : GroupShape::scattered;
  }
  i64 gaps = 0;
  for (u32 lane = 0; lane < lane_count; ++lane)
    gaps |= pattern.relative[lane] ^ i64 { lane } * element_bytes;
  pattern.contiguous = pattern.mask == all_lanes && gaps == 0;
}

}  // namespace

void refresh(Pattern& pattern, const u64* addresses, u32 mask, u64 first, u32 element_bytes) {
  pattern.mask = mask;
  pattern.units = {};
  i64 least = 0, most = 0, wide = 0, low_bits = 0;
  for (u32 lane = 0; lane < lane_count; ++lane) {
    const i64 active = -static_cast<i64>(mask >> lane & 1);
    const i64 relative = static_cast<i64>(addresses[lane] - first) & active;
    const i32 narrow = static_cast<i32>(relative);
    pattern.relative[lane] = relative;
    pattern.relative_32[lane] = narrow;
    wide |= relative ^ narrow;
    least = std::min(least, relative);
    most = std::max(most, relative);
    low_bits |= relative;
  }
  pattern.near = wide == 0;
  pattern.least = least;
  pattern.most = most;
  pattern.low_bits = static_cast<u64>(low_bits);
  find_shapes(pattern, element_bytes);
}

void count_shape(Pattern& pattern, u32 low, u64 first, u32 mask, u32 bytes, bool shared,
                 AccessKind kind) {
  u64 addresses[lane_count];
  for (u32 lane = 0; lane < lane_count; ++lane)
    addresses[lane] = first + static_cast<u64>(pattern.relative[lane]);
  if (shared) {
    const Wavefronts wavefronts = count_wavefronts(addresses, mask, bytes, kind);
    pattern.units[low] = static_cast<std::uint16_t>(wavefronts.total);
    pattern.excess[low] = static_cast<std::uint16_t>(wavefronts.total - wavefronts.ideal);
    pattern.bytes = static_cast<std::uint16_t>(wavefronts.bytes);
  } else {
    const u32 sectors = count_sectors(addresses, mask, bytes);
    pattern.units[low] = static_cast<std::uint16_t>(sectors);
    pattern.excess[low] = 0;
    pattern.bytes = static_cast<std::uint16_t>(
        pattern.contiguous ? lane_count * bytes : count_bytes(addresses, mask, bytes, sectors));
  }
}

}  // namespace klab::sim
