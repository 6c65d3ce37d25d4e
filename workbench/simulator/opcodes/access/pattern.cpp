// Sectors and wavefronts of one warp-wide access.
#include "simulator/opcodes/access/pattern.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

namespace klab::sim {

namespace {

// Groups of lanes with equal keys, told by one lane of each, without sorting: every lane enters its
// number at the place its key falls on, and reads who entered last. Lanes that find another key
// there, which is rare, try again with other places.
std::uint32_t representatives(const std::uint32_t* keys, std::uint32_t mask) {
  constexpr std::uint32_t place_bits = 9;
  std::uint8_t last[1 << place_bits];
  std::uint16_t place[lane_count];
  std::uint32_t found = 0, differ = 0;
  const std::uint32_t first = keys[std::countr_zero(mask)];
  for (int lane = 0; lane < lane_count; ++lane)
    differ |= (keys[lane] ^ first) & (0 - (mask >> lane & 1));
  if (differ == 0) return std::bit_floor(mask);
  for (std::uint32_t factor = 0x9e3779b1; mask != 0; factor = factor * 5 + 2) {
    for (int lane = 0; lane < lane_count; ++lane)
      place[lane] = static_cast<std::uint16_t>(keys[lane] * factor >> (32 - place_bits));
    for_each_lane(mask,
                  [&](std::uint32_t lane) { last[place[lane]] = static_cast<std::uint8_t>(lane); });
    std::uint32_t other = 0;
    for_each_lane(mask, [&](std::uint32_t lane) {
      const std::uint32_t winner = last[place[lane]];
      found |= std::uint32_t{winner == lane} << lane;
      other |= std::uint32_t{keys[winner] != keys[lane]} << lane;
    });
    mask = other;
  }
  return found;
}

// The addresses' multiples of 2^shift as keys, counted from the first; false if they lie too far
// apart. Keys of inactive lanes mean nothing.
bool keys_of(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t shift,
             std::uint32_t* keys) {
  const std::uint64_t first = addresses[std::countr_zero(mask)] >> shift;
  std::uint64_t wide = 0;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
    const auto apart = static_cast<std::int64_t>((addresses[lane] >> shift) - first);
    const auto narrow = static_cast<std::int32_t>(apart);
    keys[lane] = static_cast<std::uint32_t>(narrow);
    wide |= static_cast<std::uint64_t>(apart ^ narrow) &
            static_cast<std::uint64_t>(-static_cast<std::int64_t>(mask >> lane & 1));
  }
  return wide == 0;
}

// Whether every active lane's address is a multiple of `bytes`, a power of two.
bool aligned(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t bytes) {
  std::uint64_t low = 0;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane)
    low |=
        addresses[lane] & static_cast<std::uint64_t>(-static_cast<std::int64_t>(mask >> lane & 1));
  return (low & (bytes - 1)) == 0;
}

std::uint32_t count_sorted_sectors(const std::uint64_t* addresses, std::uint32_t mask,
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

}  // namespace

std::uint32_t count_sectors(const std::uint64_t* addresses, std::uint32_t mask,
                            std::uint32_t bytes) {
  std::uint32_t keys[lane_count];
  constexpr std::uint32_t sector_shift = 5;
  if (!aligned(addresses, mask, bytes) || !keys_of(addresses, mask, sector_shift, keys))
    return count_sorted_sectors(addresses, mask, bytes);
  return static_cast<std::uint32_t>(std::popcount(representatives(keys, mask)));
}

std::uint32_t count_bytes(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t bytes) {
  std::uint32_t keys[lane_count];
  if (std::has_single_bit(bytes) &&
      keys_of(addresses, mask, static_cast<std::uint32_t>(std::countr_zero(bytes)), keys))
    return static_cast<std::uint32_t>(std::popcount(representatives(keys, mask))) * bytes;
  std::set<std::uint64_t> different;
  for_each_lane(mask, [&](std::uint32_t lane) { different.insert(addresses[lane]); });
  return static_cast<std::uint32_t>(different.size()) * bytes;
}

namespace {

// Highest number of different words in one bank among the lanes of one group; `different`: of all
// words, where they were looked at as lanes' first ones.
std::uint32_t busiest_bank(const std::uint64_t* addresses, std::uint32_t lanes, std::uint32_t words,
                           std::uint32_t& different) {
  std::uint32_t keys[lane_count];
  std::array<std::uint32_t, 32> load{};
  std::uint32_t most = 0;
  if ((words == 1 || aligned(addresses, lanes, 4 * words)) && keys_of(addresses, lanes, 2, keys)) {
    // Lanes with the same first word share all of them.
    const std::uint32_t of_all = representatives(keys, lanes);
    different = static_cast<std::uint32_t>(std::popcount(of_all));
    for_each_lane(of_all, [&](std::uint32_t lane) {
      for (std::uint32_t i = 0; i < words; ++i)
        most = std::max(most, ++load[((addresses[lane] >> 2) + i) & 31]);
    });
    return most;
  }
  std::array<std::uint32_t, lane_count * 4> seen;
  std::uint32_t count = 0;
  for_each_lane(lanes, [&](std::uint32_t lane) {
    for (std::uint32_t i = 0; i < words; ++i)
      seen[count++] = static_cast<std::uint32_t>(addresses[lane] >> 2) + i;
  });
  std::sort(seen.begin(), seen.begin() + count);
  count =
      static_cast<std::uint32_t>(std::unique(seen.begin(), seen.begin() + count) - seen.begin());
  for (std::uint32_t i = 0; i < count; ++i) most = std::max(most, ++load[seen[i] & 31]);
  return most;
}

}  // namespace

Wavefronts count_wavefronts(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t bytes,
                            AccessKind kind) {
  const std::uint32_t words = std::max(1u, bytes / 4);
  std::uint32_t group = lane_count / words;
  if (words > 1 && kind != AccessKind::store) {
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
  std::uint32_t different = 0;
  for (std::uint32_t first = 0; first < lane_count; first += group) {
    const std::uint32_t lanes =
        mask & (group >= lane_count ? all_lanes : ((1u << group) - 1) << first);
    if (lanes == 0) continue;
    out.total += busiest_bank(addresses, lanes, words, different);
    ++out.ideal;
  }
  out.bytes = bytes == 4 && different > 0 ? different * bytes : count_bytes(addresses, mask, bytes);
  return out;
}

}  // namespace klab::sim
