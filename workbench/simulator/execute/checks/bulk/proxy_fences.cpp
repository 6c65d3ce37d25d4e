// Which fence lies between which write and which copy.
#include "simulator/execute/checks/bulk/proxy_fences.hpp"

#include <algorithm>

#include "simulator/program/program.hpp"

namespace klab::sim {

namespace {

bool same_warp(const Moment& one, const Moment& other) {
  return one.thread / lane_count == other.thread / lane_count;
}

bool comes_before(const Moment& write, const Moment& fence) {
  if (fence.epoch != write.epoch) return write.epoch < fence.epoch;
  if (fence.thread == write.thread) return write.instant < fence.instant;
  return same_warp(write, fence) && write.warp_epoch < fence.warp_epoch;
}

// Whether lanes of one warp came together in between is not asked: what they wrote races with the
// copy if they did not.
bool reaches(const Moment& fence, const Moment& copy) {
  return fence.epoch < copy.epoch || same_warp(fence, copy);
}

}  // namespace

ProxyFences::ProxyFences(std::uint32_t threads)
    : of_thread_(threads), of_warp_((threads + lane_count - 1) / lane_count) {}

void ProxyFences::forget_all() {
  if (!any_) return;
  std::fill(of_thread_.begin(), of_thread_.end(), Recent{});
  std::fill(of_warp_.begin(), of_warp_.end(), Recent{});
  of_block_ = {};
  any_ = false;
}

void ProxyFences::remember(Recent& recent, const Moment& fence) {
  if (recent.last.epoch != fence.epoch) recent.earlier = recent.last;
  recent.last = fence;
}

void ProxyFences::note(const Moment& fence) {
  any_ = true;
  remember(of_thread_[fence.thread], fence);
  remember(of_warp_[fence.thread / lane_count], fence);
  remember(of_block_, fence);
}

bool ProxyFences::any_between(const Moment& write, const Moment& copy) const {
  if (!any_) return false;
  for (const Recent* recent :
       {&of_thread_[write.thread], &of_warp_[write.thread / lane_count], &of_thread_[copy.thread],
        &of_warp_[copy.thread / lane_count], &of_block_})
    for (const Moment* fence : {&recent->last, &recent->earlier})
      if (fence->epoch != 0 && comes_before(write, *fence) && reaches(*fence, copy)) return true;
  return false;
}

}  // namespace klab::sim
