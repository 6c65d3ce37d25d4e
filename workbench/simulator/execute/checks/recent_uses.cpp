#include "simulator/execute/checks/recent_uses.hpp"

#include <algorithm>
#include <bit>

#include "simulator/execute/warp.hpp"

namespace klab::sim {

namespace {
constexpr std::uint32_t lane_bits = 5;
}

RecentUses::RecentUses(std::uint32_t warps, std::uint32_t unit_bytes)
    : places_(places),
      told_(warps),
      unit_shift_(static_cast<std::uint32_t>(std::countr_zero(unit_bytes))) {}

void RecentUses::forget() {
  first_ = settled_ = next_;
  low_ = table_low_ = ~std::uint64_t{0};
  high_ = table_high_ = 0;
}

void RecentUses::put(std::uint64_t unit, std::uint32_t by, std::uint16_t warp) {
  Place& place = places_[unit % places];
  if (place.unit != unit || place.last >> lane_bits < first_) {
    place = {unit, by, 0, warp, 0};
    return;
  }
  const bool same_warp = place.last_warp == warp;
  const bool same_thread = same_warp && place.last % lane_count == by % lane_count;
  const bool earlier_tells_more =
      same_warp && place.earlier_warp != warp && is_kept(place.earlier >> lane_bits);
  if (!same_thread && !earlier_tells_more) {
    place.earlier = place.last;
    place.earlier_warp = place.last_warp;
  }
  place.last = by;
  place.last_warp = warp;
}

void RecentUses::add(const Use& use, std::uint32_t lanes, const std::uint64_t* addresses,
                     std::uint32_t bytes) {
  if (next_ >> (32 - lane_bits) != 0) {  // begins anew
    std::fill(places_.begin(), places_.end(), Place{});
    std::fill(told_.begin(), told_.end(), 0);
    next_ = 1;
    forget();
  }
  Range range;
  for_each_lane(lanes, [&](std::uint32_t lane) {
    range.low = std::min(range.low, addresses[lane]);
    range.high = std::max(range.high, addresses[lane] + bytes);
  });
  low_ = std::min(low_, range.low);
  high_ = std::max(high_, range.high);
  const std::uint32_t number = next_++;
  const std::size_t at = number % most_uses;
  uses_[at] = use;
  ranges_[at] = range;
  if (accesses_.size() <= at) accesses_.resize(at + 1);
  Access& access = accesses_[at];
  access.lanes = lanes;
  access.bytes = bytes;
  // A lane 4 GiB or more behind the lowest is left out: what does not fit an offset would be taken
  // for another element.
  for_each_lane(lanes, [&](std::uint32_t lane) {
    const std::uint64_t offset = addresses[lane] - range.low;
    access.offsets[lane] = static_cast<std::uint32_t>(offset);
    if (offset >> 32 != 0) access.lanes &= ~(1u << lane);
  });
}

void RecentUses::put_all(std::uint32_t number) {
  const std::size_t at = number % most_uses;
  const Access& access = accesses_[at];
  const auto warp = static_cast<std::uint16_t>(uses_[at].warp);
  for_each_lane(access.lanes, [&](std::uint32_t lane) {
    const std::uint64_t address = ranges_[at].low + access.offsets[lane],
                        last = (address + access.bytes - 1) >> unit_shift_;
    for (std::uint64_t unit = address >> unit_shift_; unit <= last; ++unit)
      put(unit, number << lane_bits | lane, warp);
  });
  table_low_ = std::min(table_low_, ranges_[at].low);
  table_high_ = std::max(table_high_, ranges_[at].high);
}

bool RecentUses::find(std::uint64_t begin, std::uint64_t end) {
  // Those that have given way before somebody asked come into no table.
  if (next_ - settled_ > most_uses) settled_ = next_ - most_uses;
  for (std::uint32_t number = settled_; number != next_; ++number)
    if (const Range& range = ranges_[number % most_uses]; begin < range.high && range.low < end) {
      for (; settled_ != next_; ++settled_) put_all(settled_);
      return true;
    }
  return begin < table_high_ && table_low_ < end;
}

RecentUses::Found RecentUses::use_of(std::uint32_t by, std::uint32_t warp,
                                     std::uint32_t lane) const {
  const std::uint32_t number = by >> lane_bits, other = by % lane_count;
  if (!is_kept(number)) return {};
  const Use& use = uses_[number % most_uses];
  if (number < told_[use.warp] || (use.warp == warp && other == lane)) return {};
  return {&use, other};
}

RecentUses::Found RecentUses::last(std::uint32_t warp, std::uint32_t lane, std::uint64_t address,
                                   std::uint32_t bytes) const {
  for (std::uint64_t unit = address >> unit_shift_; unit << unit_shift_ < address + bytes; ++unit) {
    const Place& place = places_[unit % places];
    if (place.unit != unit) continue;
    if (const Found found = use_of(place.last, warp, lane); found.use != nullptr) return found;
  }
  return {};
}

}  // namespace klab::sim
