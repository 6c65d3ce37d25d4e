// Sectors and wavefronts of one warp-wide access.
#include "simulator/opcodes/access/pattern.hpp"

#include <algorithm>
#include <array>

namespace klab::sim {

std::uint32_t count_sectors(const std::uint64_t* addresses, std::uint32_t mask,
                            std::uint32_t bytes) {
  std::array<std::uint64_t, 2 * lane_count> sectors;
  std::uint32_t count = 0;
  bool sorted = true;
  const auto add = [&](std::uint64_t sector) {
    if (count > 0 && sectors[count - 1] == sector) return;
    sorted = sorted && (count == 0 || sectors[count - 1] < sector);
    sectors[count++] = sector;
  };
  for_each_lane(mask, [&](std::uint32_t lane) {
    const std::uint64_t first = addresses[lane] >> 5, last = (addresses[lane] + bytes - 1) >> 5;
    add(first);
    if (last != first) add(last);
  });
  if (sorted) return count;
  std::sort(sectors.begin(), sectors.begin() + count);
  return static_cast<std::uint32_t>(std::unique(sectors.begin(), sectors.begin() + count) -
                                    sectors.begin());
}

namespace {

// Highest number of different words in one bank among the lanes of one group.
std::uint32_t busiest_bank(const std::uint64_t* addresses, std::uint32_t lanes,
                           std::uint32_t words) {
  std::array<std::uint32_t, lane_count * 4> seen;
  std::uint32_t count = 0;
  for_each_lane(lanes, [&](std::uint32_t lane) {
    for (std::uint32_t i = 0; i < words; ++i)
      seen[count++] = static_cast<std::uint32_t>(addresses[lane] >> 2) + i;
  });
  std::sort(seen.begin(), seen.begin() + count);
  count =
      static_cast<std::uint32_t>(std::unique(seen.begin(), seen.begin() + count) - seen.begin());
  std::array<std::uint32_t, 32> load{};
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < count; ++i) most = std::max(most, ++load[seen[i] & 31]);
  return most;
}

}  // namespace

Wavefronts count_wavefronts(const std::uint64_t* addresses, std::uint32_t mask,
                            std::uint32_t bytes) {
  const std::uint32_t words = std::max(1u, bytes / 4);
  std::uint32_t group = lane_count / words;
  if (words > 1) {
    for (const std::uint32_t distance : {1u, 2u}) {
      bool agree = true;
      for_each_lane(mask, [&](std::uint32_t lane) {
        const std::uint32_t other = lane ^ distance;
        if ((mask >> other & 1) != 0 && addresses[lane] != addresses[other]) agree = false;
      });
      if (!agree) continue;
      group *= 2;
      break;
    }
  }
  Wavefronts out;
  for (std::uint32_t first = 0; first < lane_count; first += group) {
    const std::uint32_t lanes =
        mask & (group >= lane_count ? all_lanes : ((1u << group) - 1) << first);
    if (lanes == 0) continue;
    out.total += busiest_bank(addresses, lanes, words);
    ++out.ideal;
  }
  return out;
}

}  // namespace klab::sim
