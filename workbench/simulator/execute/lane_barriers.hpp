// When any two lanes of a warp last passed a barrier of the warp together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/execute/warp.hpp"

namespace klab::sim {

class LaneBarriers {
 public:
  explicit LaneBarriers(std::size_t warps) : of_all_(warps), of_two_(warps) {}

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

 private:
  std::vector<std::uint32_t> of_all_;               // by warp
  std::vector<std::vector<std::uint32_t>> of_two_;  // by warp; empty where all pass each barrier
};

}  // namespace klab::sim
