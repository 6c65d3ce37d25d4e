// How threads of one block used global memory of late, with no word of it to others.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "simulator/program/program.hpp"

namespace klab::sim {

// The last uses of one kind since the block's last barrier. An instruction's addresses are kept as
// they are until somebody asks for a range with some of them in it, which of most never happens.
// Then they go, by unit, into a table that forgets: units share its places, and old uses give way.
class RecentUses {
 public:
  struct Use {
    std::uint32_t warp = 0, warp_epoch = 0, time = 0, location = 0;  // the checker's
    bool changes = false, adds_up = false;  // an atomic operation; one that adds to a sum
  };
  struct Found {
    const Use* use = nullptr;
    std::uint32_t lane = 0;
  };

  // `unit_bytes`: of the smallest store.
  RecentUses(std::uint32_t warps, std::uint32_t unit_bytes);

  void forget();
  // The warp fenced: others may be told of what it did before.
  void forget_those_of(std::uint32_t warp) { told_[warp] = next_; }
  // All lanes of an instruction are one use.
  void add(const Use& use, std::uint32_t lanes, const std::uint64_t* addresses,
           std::uint32_t bytes);
  // Whether some of them may lie in the range; before last() and any() are asked about it.
  bool may_hold(std::uint64_t begin, std::uint64_t end) {
    return begin < high_ && low_ < end && find(begin, end);
  }
  // The last one of each unit, unless it is this thread's own.
  Found last(std::uint32_t warp, std::uint32_t lane, std::uint64_t address,
             std::uint32_t bytes) const;
  // The last ones by two threads, of which `is` may choose; never this thread's own.
  template <class Is>
  Found any(std::uint32_t warp, std::uint32_t lane, std::uint64_t address, std::uint32_t bytes,
            Is is) const {
    const std::uint64_t end = address + bytes;
    for (std::uint64_t unit = address >> unit_shift_; unit << unit_shift_ < end; ++unit) {
      const Place& place = places_[unit % places];
      if (place.unit != unit) continue;
      for (const std::uint32_t by : {place.last, place.earlier})
        if (const Found found = use_of(by, warp, lane); found.use != nullptr && is(found))
          return found;
    }
    return {};
  }

 private:
  static constexpr std::size_t places = 2048, most_uses = 256;
  struct Place {
    std::uint64_t unit = 0;
    // Number of the use and lane. The earlier one is of another thread: of another warp, if there
    // is one, since what that one did needs more to be in order.
    std::uint32_t last = 0, earlier = 0;
    std::uint16_t last_warp = 0, earlier_warp = 0;
  };

  // What an instruction used, relative to the lowest address.
  struct Access {
    std::uint32_t lanes = 0, bytes = 0;
    std::array<std::uint32_t, lane_count> offsets;
  };
  struct Range {
    std::uint64_t low = ~std::uint64_t{0}, high = 0;
  };

  bool find(std::uint64_t begin, std::uint64_t end);
  void put_all(std::uint32_t number);
  bool is_kept(std::uint32_t number) const {
    return number >= first_ && next_ - number <= most_uses;
  }
  Found use_of(std::uint32_t by, std::uint32_t warp, std::uint32_t lane) const;
  void put(std::uint64_t unit, std::uint32_t by, std::uint16_t warp);

  std::vector<Place> places_;
  std::array<Use, most_uses> uses_;
  std::array<Range, most_uses> ranges_;
  std::vector<Access> accesses_;
  std::vector<std::uint32_t> told_;     // by warp: from which number on nobody was told
  std::uint32_t first_ = 1, next_ = 1;  // numbers, since the last barrier
  std::uint32_t settled_ = 1;           // up to here they are in the table
  std::uint64_t low_ = ~std::uint64_t{0}, high_ = 0;  // of all since then
  // Of those in the table.
  std::uint64_t table_low_ = ~std::uint64_t{0}, table_high_ = 0;
  std::uint32_t unit_shift_;
};

}  // namespace klab::sim
