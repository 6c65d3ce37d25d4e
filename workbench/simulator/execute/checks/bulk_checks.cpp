// The full checks of bulk copies (cp.async.bulk): waited for, and fenced from ordinary writes.
#include <fmt/format.h>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"

namespace klab::sim {

namespace {

std::string line_of(const Warp& warp, std::uint32_t location) {
  return at_line(warp.launch->program->locations[location]);
}

std::string describe(const Warp& warp, std::uint32_t thread) {
  Warp other = warp;
  other.index = thread / lane_count;
  return describe_thread(thread_of(other, thread % lane_count));
}

}  // namespace

Moment Checker::moment_of(const Warp& warp, std::uint32_t lane) const {
  return {warp.index * lane_count + lane, epoch_, warp_epochs_[warp.index], instant_of(warp)};
}

void Checker::fence_from_copies(const Warp& warp) {
  fences_.begin(warp.index);
  for_each_lane(warp.mask, [&](std::uint32_t lane) { fences_.note(moment_of(warp, lane)); });
}

// What bulk copies read they do not see as threads do: a thread's writes reach them by way of a
// fence alone. Who of the two is at fault is not known from afar, so one fence anywhere between
// the write and the copy is enough.
void Checker::look_for_fences(Warp& warp, const Inst& inst, std::uint32_t lane,
                              std::uint64_t offset, std::uint32_t bytes) {
  const Moment now = moment_of(warp, lane);
  for (std::uint64_t at = offset; at < offset + bytes; at += unit_bytes_) {
    const std::size_t unit = at >> unit_shift_;
    const Access& write = units_[unit].write;
    if (written_[unit] < block_epoch_ || write.epoch == 0 || write.by_copy) continue;
    if (fences_.any_between({write.thread, write.epoch, write.warp_epoch, write.instant}, now))
      continue;
    return note_finding(
        warp, inst, FindingKind::unfenced_copy, lane,
        fmt::format(
            "bulk copy out of shared memory at offset {} that {} wrote{}, and no fence.proxy.async "
            "lies between the two: the copy may take what was there before. Each thread that "
            "writes has to fence behind its writes (cuda::ptx::fence_proxy_async()), and a barrier "
            "then has to follow",
            at, describe(warp, write.thread), line_of(warp, write.location)));
  }
}

void Checker::bulk_read(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint64_t offset,
                        std::uint32_t bytes) {
  if (offset >= warp.shared_bytes || bytes > warp.shared_bytes - offset) return;
  std::uint64_t offsets[lane_count] = {};
  offsets[lane] = offset;
  shared_access(warp, inst, 1u << lane, offsets, bytes, AccessKind::load);
  look_for_fences(warp, inst, lane, offset, bytes);
}

void Checker::take_bulk(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint64_t offset,
                        std::uint64_t target, std::uint32_t bytes) {
  bulk_.take({.first = static_cast<std::uint32_t>(offset >> unit_shift_),
              .units = bytes >> unit_shift_,
              .begin = target,
              .end = target + bytes,
              .location = location_of(warp, inst),
              .thread = warp.index * lane_count + lane});
}

void Checker::bulk_write(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint64_t offset,
                         std::uint32_t bytes) {
  if (offset >= warp.shared_bytes || bytes > warp.shared_bytes - offset) return;
  std::uint64_t offsets[lane_count] = {};
  offsets[lane] = offset;
  if (bulk_.any_outgoing()) look_for_bulk_reads(warp, inst, 1u << lane, offsets, bytes);
  note_access(warp, inst, 1u << lane, offsets, bytes, AccessKind::store);
  for (std::uint64_t at = offset; at < offset + bytes; at += unit_bytes_)
    units_[at >> unit_shift_].write.by_copy = true;
}

void Checker::bring_bulk(std::uint32_t location, std::uint64_t offset, std::uint32_t bytes,
                         const void* barrier) {
  bulk_.bring({.first = static_cast<std::uint32_t>(offset >> unit_shift_),
               .units = bytes >> unit_shift_,
               .location = location,
               .barrier = barrier});
}

void Checker::commit_bulk(const Warp& warp) {
  for_each_lane(warp.mask,
                [&](std::uint32_t lane) { bulk_.commit(warp.index * lane_count + lane); });
}

// The source counts as read by the thread as it has waited: whoever writes there next needs a
// barrier behind that.
void Checker::wait_for_bulk(const Warp& warp, std::uint64_t groups_left, bool only_read) {
  if (!bulk_.any_outgoing()) return;
  for_each_lane(warp.mask, [&](std::uint32_t lane) {
    const Moment now = moment_of(warp, lane);
    for (const auto& copy : bulk_.wait_for_groups(now.thread, groups_left, only_read)) {
      const Access read{epoch_,
                        now.warp_epoch,
                        copy.location,
                        now.instant,
                        static_cast<std::uint16_t>(now.thread),
                        AccessKind::load};
      for (std::uint32_t unit = copy.first; unit < copy.first + copy.units; ++unit) {
        units_[unit].earlier_read = units_[unit].read;
        units_[unit].read = read;
        settled_[unit] = 0;
      }
    }
  });
}

void Checker::look_for_bulk(Warp& warp, const Inst& inst, std::uint32_t mask,
                            const std::uint64_t* offsets, std::uint32_t bytes, AccessKind kind) {
  if (bulk_.any_outgoing() && !is_load(kind)) look_for_bulk_reads(warp, inst, mask, offsets, bytes);
  if (!bulk_.any_incoming()) return;
  for_each_lane(mask, [&](std::uint32_t lane) {
    const std::uint64_t offset = offsets[lane];
    if (offset >= warp.shared_bytes || bytes > warp.shared_bytes - offset) return;
    for (std::uint64_t at = offset; at < offset + bytes; at += unit_bytes_) {
      const auto copy =
          bulk_.copy_to(static_cast<std::uint32_t>(at >> unit_shift_), warp.index, epoch_);
      if (!copy) continue;
      return note_finding(
          warp, inst, FindingKind::unfinished_copy, lane,
          fmt::format("{} of shared memory at offset {} to which a bulk copy{} may still be on its "
                      "way: wait first for the phase of the mbarrier that counts its bytes "
                      "(cuda::barrier, or mbarrier.try_wait)",
                      is_load(kind) ? "read" : "write", at, line_of(warp, copy->location)));
    }
  });
}

void Checker::look_for_bulk_reads(Warp& warp, const Inst& inst, std::uint32_t mask,
                                  const std::uint64_t* offsets, std::uint32_t bytes) {
  for_each_lane(mask, [&](std::uint32_t lane) {
    const std::uint64_t offset = offsets[lane];
    if (offset >= warp.shared_bytes || bytes > warp.shared_bytes - offset) return;
    for (std::uint64_t at = offset; at < offset + bytes; at += unit_bytes_) {
      const auto copy = bulk_.copy_from(static_cast<std::uint32_t>(at >> unit_shift_));
      if (!copy) continue;
      const bool own = copy->thread == warp.index * lane_count + lane;
      return note_finding(
          warp, inst, FindingKind::unfinished_copy, lane,
          fmt::format("write to shared memory at offset {} that a bulk copy{} by {} may still be "
                      "reading: that thread has to wait for it first "
                      "(cp.async.bulk.commit_group, then cp.async.bulk.wait_group.read){}",
                      at, line_of(warp, copy->location),
                      own ? "the same thread" : describe(warp, copy->thread),
                      own ? "" : ", and a barrier then has to follow"));
    }
  });
}

void Checker::look_for_bulk_targets(Warp& warp, const Inst& inst, std::uint32_t lanes,
                                    const std::uint64_t* addresses, std::uint32_t bytes) {
  for_each_lane(lanes, [&](std::uint32_t lane) {
    const auto copy = bulk_.copy_onto(addresses[lane], addresses[lane] + bytes);
    if (!copy) return;
    note_finding(
        warp, inst, FindingKind::unfinished_copy, lane,
        fmt::format("read of global memory at {:#x} to which a bulk copy{} by {} may still be on "
                    "its way: that thread has to wait until it is written "
                    "(cp.async.bulk.wait_group without .read), and a barrier then has to follow "
                    "for others",
                    addresses[lane], line_of(warp, copy->location), describe(warp, copy->thread)));
  });
}

void Checker::end_block(Warp& warp) {
  if (order_ != nullptr) order_->end(static_cast<std::uint32_t>(number_));
  const auto copy = bulk_.unread();
  if (!copy) return;
  Warp asking = warp;
  asking.index = copy->thread / lane_count;
  note_finding_at(asking, copy->location, FindingKind::unfinished_copy, copy->thread % lane_count,
                  "bulk copy out of shared memory that nobody waits for before the block ends: its "
                  "shared memory is then another's. The thread that asks for the copy has to wait "
                  "until it is read (cp.async.bulk.commit_group, then "
                  "cp.async.bulk.wait_group.read 0)");
}

}  // namespace klab::sim
