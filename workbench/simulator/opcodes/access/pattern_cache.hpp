// What a memory instruction remembers of its last addresses, so that counting need not be done
// again.
#pragma once
#include <algorithm>
#include <cstdint>

#include "simulator/execute/warp.hpp"
#include "simulator/opcodes/access/pattern.hpp"

namespace klab::sim {

// Recomputes a pattern for other relative addresses. Counts are filled in when asked for.
void refresh(Pattern& pattern, const std::uint64_t* addresses, std::uint32_t mask,
             std::uint64_t first, std::uint32_t element_bytes);

// Brings the pattern up to date with the lanes' addresses; `first` is the first active lane's.
inline void match(Pattern& pattern, const std::uint64_t* addresses, std::uint32_t mask,
                  std::uint64_t first, std::uint32_t element_bytes) {
  std::uint64_t different = pattern.mask ^ mask;
  if (mask == all_lanes) {
    for (int lane = 0; lane < lane_count; ++lane)
      different |= (addresses[lane] - first) ^ static_cast<std::uint64_t>(pattern.relative[lane]);
  } else {
    for_each_lane(mask, [&](std::uint32_t lane) {
      different |= (addresses[lane] - first) ^ static_cast<std::uint64_t>(pattern.relative[lane]);
    });
  }
  if (different != 0) [[unlikely]]
    refresh(pattern, addresses, mask, first, element_bytes);
}

// Counts one access of `bytes` a lane that follows the pattern.
void count_shape(Pattern& pattern, std::uint32_t low, std::uint64_t first, std::uint32_t mask,
                 std::uint32_t bytes, bool shared, AccessKind kind);
template <bool Shared>
void count_access(Warp& warp, std::uint32_t site, Pattern& pattern, std::uint64_t first,
                  std::uint32_t mask, std::uint32_t bytes, AccessKind kind) {
  SiteCount& count = warp.sites[site];
  // Banks rotate with the address; only the place within a word matters there.
  const std::uint32_t low = first & (Shared ? 3 : 31);
  if (pattern.units[low] == 0) [[unlikely]]
    count_shape(pattern, low, first, mask, bytes, Shared, kind);
  ++count.requests;
  count.units += pattern.units[low];
  count.excess += pattern.excess[low];
  count.bytes += pattern.bytes;
}

}  // namespace klab::sim
