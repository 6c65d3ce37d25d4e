// Which fence lies between an access and what tells other blocks of it.
#include "simulator/execute/checks/fence_history.hpp"

#include <algorithm>

#include "simulator/program/program.hpp"

namespace klab::sim {

void FenceHistory::fence(std::uint32_t warp, std::uint32_t lanes, std::uint32_t epoch,
                         std::uint32_t warp_epoch) {
  of_warp_[warp].push_back({lanes, epoch, warp_epoch});
  if (epochs_.empty() || epochs_.back() != epoch) epochs_.push_back(epoch);
}

// The first fence behind the access is the first one that a telling could be behind.
bool FenceHistory::by_its_warp(const Access& access, const Telling& telling) const {
  const std::uint32_t warp = access.thread / lane_count, lane = access.thread % lane_count;
  const std::vector<Fence>& fences = of_warp_[warp];
  for (std::size_t i = access.fences; i < fences.size(); ++i) {
    const Fence& fence = fences[i];
    if (fence.epoch > telling.epoch) return false;
    const bool behind = (fence.lanes >> lane & 1) != 0 || fence.epoch > access.epoch ||
                        fence.warp_epoch > access.warp_epoch;
    if (!behind) continue;
    return fence.epoch < telling.epoch || telling.of_several ||
           (warp == telling.warp && i < telling.fences);
  }
  return false;
}

bool FenceHistory::behind_a_barrier(const Access& access, const Telling& telling) const {
  const auto next = std::upper_bound(epochs_.begin(), epochs_.end(), access.epoch);
  if (next == epochs_.end()) return false;
  if (*next < telling.epoch || (*next == telling.epoch && telling.of_several)) return true;
  const std::vector<Fence>& fences = of_warp_[telling.warp];
  const std::size_t last = std::min<std::size_t>(telling.fences, fences.size());
  return last > 0 && fences[last - 1].epoch > access.epoch;
}

bool FenceHistory::covers(const Access& access, const Telling& telling) const {
  if (telling.epoch < access.epoch) return false;
  return by_its_warp(access, telling) || behind_a_barrier(access, telling);
}

}  // namespace klab::sim
