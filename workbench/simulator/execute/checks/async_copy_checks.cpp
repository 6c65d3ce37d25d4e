// The full checks of copies that a thread waits for (cp.async).
#include <fmt/format.h>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"

namespace klab::sim {

void Checker::begin_copy(Warp& warp, const Inst& inst, std::uint32_t lane,
                         const std::uint64_t* offsets, std::uint32_t bytes) {
  const std::uint64_t offset = offsets[lane];
  note_access(warp, inst, 1u << lane, offsets, bytes, AccessKind::store);
  if (offset >= warp.shared_bytes || bytes > warp.shared_bytes - offset) return;
  copies_.begin({.first = static_cast<std::uint32_t>(offset >> unit_shift_),
                 .units = bytes >> unit_shift_,
                 .location = location_of(warp, inst),
                 .thread = warp.index * lane_count + lane});
}

void Checker::commit_copies(const Warp& warp) {
  for_each_lane(warp.mask,
                [&](std::uint32_t lane) { copies_.commit(warp.index * lane_count + lane); });
}

// The places that copies of the lane wrote to, as it would have by a store of now.
void Checker::note_ended(const Warp& warp, std::uint32_t lane,
                         const std::vector<AsyncCopies::Copy>& ended) {
  const std::uint32_t thread = warp.index * lane_count + lane;
  for (const AsyncCopies::Copy& copy : ended) {
    Access write{epoch_,           warp_epochs_[warp.index],           copy.location,
                 instant_of(warp), static_cast<std::uint16_t>(thread), AccessKind::store};
    write.time = past_of(warp.index, lane).time;
    for (std::uint32_t unit = copy.first; unit < copy.first + copy.units; ++unit) {
      units_[unit].write = write;
      written_[unit] = epoch_;
      settled_[unit] = 0;
    }
  }
}

void Checker::wait_for_copies(const Warp& warp, std::optional<std::uint64_t> groups_left) {
  if (groups_left.value_or(0) == 0) bulk_.wait_for_own(warp.index, warp.mask);
  if (copies_.empty()) return;
  for_each_lane(warp.mask, [&](std::uint32_t lane) {
    const std::uint32_t thread = warp.index * lane_count + lane;
    note_ended(warp, lane,
               groups_left ? copies_.wait(thread, *groups_left) : copies_.wait_for_all(thread));
  });
}

void Checker::leave_copies_to(const Warp& warp, std::uint32_t lane, const void* barrier) {
  if (copies_.empty()) return;
  const auto left = copies_.wait_for_all(warp.index * lane_count + lane);
  note_ended(warp, lane, left);
  for (const AsyncCopies::Copy& copy : left)
    bulk_.bring({.first = copy.first,
                 .units = copy.units,
                 .location = copy.location,
                 .barrier = barrier,
                 .by_warp = warp.index,
                 .by_lanes = 1u << lane});
}

// One that the same thread writes to again is its own affair.
void Checker::look_for_copies(Warp& warp, const Inst& inst, std::uint32_t mask,
                              const std::uint64_t* offsets, std::uint32_t bytes, AccessKind kind) {
  for_each_lane(mask, [&](std::uint32_t lane) {
    const std::uint64_t offset = offsets[lane];
    if (offset >= warp.shared_bytes || bytes > warp.shared_bytes - offset) return;
    for (std::uint64_t at = offset; at < offset + bytes; at += unit_bytes_) {
      const auto copy = copies_.copy_to(at >> unit_shift_);
      if (!copy) continue;
      const bool own = copy->thread == warp.index * lane_count + lane;
      if (own && kind == AccessKind::store) return;
      Warp other = warp;
      other.index = copy->thread / lane_count;
      return note_finding(warp, inst, FindingKind::unfinished_copy, lane, [&] {
        return fmt::format(
            "{} shared memory at offset {} to which an asynchronous copy{} by {} may "
            "still be on its way: that thread has to wait for it first "
            "(__pipeline_wait_prior(), cuda::pipeline or cp.async.wait_group){}",
            act_on(kind), at, at_line(warp.launch->program->locations[copy->location]),
            own ? "the same thread" : describe_thread(thread_of(other, copy->thread % lane_count)),
            own ? "" : ", and a barrier then has to follow");
      });
    }
  });
}

}  // namespace klab::sim
