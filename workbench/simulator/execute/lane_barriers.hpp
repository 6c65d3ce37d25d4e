// When any two lanes of a warp last passed a barrier of the warp together, and which have taken
// different ways since the warp last came together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/execute/warp.hpp"

namespace klab::sim {

class LaneBarriers {
 public:
  explicit LaneBarriers(std::size_t warps)
      : of_all_(warps), of_two_(warps), ways_(warps * lane_count) {}

  // The lanes that execute it, and whom each of them names; the warp's epoch behind it.
  void pass(std::uint32_t warp, std::uint32_t lanes, const std::uint32_t* members,
            std::uint32_t epoch) {
    if (lanes == all_lanes && std::all_of(members, members + lane_count,
                                          [](std::uint32_t named) { return named == all_lanes; })) {
      of_all_[warp] = epoch;
      return;
    }
    std::vector<std::uint32_t>& pairs = of_two_[warp];
    pairs.resize(lane_count * lane_count);
    for_each_lane(lanes, [&](std::uint32_t lane) {
      for_each_lane(members[lane] & lanes,
                    [&](std::uint32_t other) { pairs[lane * lane_count + other] = epoch; });
    });
  }

  // The warp's epoch behind the last one, or 0.
  std::uint32_t last(std::uint32_t warp, std::uint32_t one, std::uint32_t other) const {
    const std::vector<std::uint32_t>& pairs = of_two_[warp];
    return pairs.empty() ? of_all_[warp] : std::max(of_all_[warp], pairs[one * lane_count + other]);
  }

  // These lanes went a way of their own; or came together.
  void go(std::uint32_t warp, std::uint32_t lanes) {
    ++last_way_;
    for_each_lane(lanes, [&](std::uint32_t lane) { ways_[warp * lane_count + lane] = last_way_; });
  }
  void meet() {
    if (last_way_ > 0) std::fill(ways_.begin(), ways_.end(), last_way_);
  }
  // Those of the lanes that a lane is sure to be together with: nothing but a .sync instruction
  // brings others back.
  std::uint32_t together_with(std::uint32_t warp, std::uint32_t lane, std::uint32_t lanes) const {
    const std::uint64_t* ways = &ways_[warp * lane_count];
    std::uint32_t together = 0;
    for_each_lane(lanes, [&](std::uint32_t other) {
      together |= std::uint32_t{ways[other] == ways[lane]} << other;
    });
    return together;
  }

 private:
  std::vector<std::uint32_t> of_all_;               // by warp
  std::vector<std::vector<std::uint32_t>> of_two_;  // by warp; empty where all pass each barrier
  std::vector<std::uint64_t> ways_;                 // by lane, the number of its last one
  std::uint64_t last_way_ = 0;
};

}  // namespace klab::sim
