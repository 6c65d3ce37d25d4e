// The full checks of bulk copies (cp.async.bulk): waited for, and fenced from ordinary writes.
#include <fmt/format.h>

#include <algorithm>

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
    Access write;
    const bool unfenced = any_write(unit, [&](const Access& by) {
      write = by;
      return by.epoch >= block_epoch_ && !by.by_copy &&
             !fences_.any_between({by.thread, by.epoch, by.warp_epoch, by.instant}, now);
    });
    if (written_[unit] < block_epoch_ || !unfenced) continue;
    return note_finding(warp, inst, FindingKind::unfenced_copy, lane, [&] {
      return fmt::format(
          "bulk copy out of shared memory at offset {} that {} wrote{}, and no fence.proxy.async "
          "lies between the two: the copy may take what was there before. Each thread that "
          "writes has to fence behind its writes (cuda::ptx::fence_proxy_async()), and a barrier "
          "then has to follow",
          at, describe(warp, write.thread), line_of(warp, write.location));
    });
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
                        std::uint64_t target, std::uint32_t bytes, bool is_reduction) {
  bulk_.take({.first = static_cast<std::uint32_t>(offset >> unit_shift_),
              .units = bytes >> unit_shift_,
              .begin = target,
              .end = target + bytes,
              .location = location_of(warp, inst),
              .thread = warp.index * lane_count + lane,
              .is_reduction = is_reduction});
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
      Access read{epoch_,
                  now.warp_epoch,
                  copy.location,
                  now.instant,
                  static_cast<std::uint16_t>(now.thread),
                  AccessKind::load};
      read.time = past_of(warp.index, lane).time;
      for (std::uint32_t unit = copy.first; unit < copy.first + copy.units; ++unit) {
        remember_read(unit, read);
        settled_[unit] = 0;
      }
    }
  });
}

// What a lane has waited for itself, or what one that has told it of since.
bool Checker::is_there(BulkCopies::Incoming& copy, const Warp& warp, std::uint32_t lane) const {
  if ((copy.seen_by >> warp.index & 1) != 0) return true;
  for (const BulkCopies::Wait& wait : copy.waits) {
    const bool own = wait.warp == warp.index;
    if (own && (wait.lanes >> lane & 1) != 0) return true;
    if (own && wait.warp_epoch != warp_epochs_[warp.index]) {  // it met since
      copy.seen_by |= 1u << warp.index;
      return true;
    }
    bool told = false;
    for_each_lane(wait.lanes, [&](std::uint32_t by) {
      told = told || is_told(warp.index, lane, {in_cluster(wait.warp), 1u << by, wait.time});
    });
    if (told) return true;
  }
  return false;
}

void Checker::look_for_bulk(Warp& warp, const Inst& inst, std::uint32_t mask,
                            const std::uint64_t* offsets, std::uint32_t bytes, AccessKind kind) {
  if (bulk_.any_outgoing() && !is_load(kind)) look_for_bulk_reads(warp, inst, mask, offsets, bytes);
  if (!bulk_.any_incoming()) return;
  std::uint64_t low = ~std::uint64_t{0}, high = 0;
  for_each_lane(mask, [&](std::uint32_t lane) {
    low = std::min(low, offsets[lane]);
    high = std::max(high, offsets[lane] + bytes - 1);
  });
  high = std::min<std::uint64_t>(high, warp.shared_bytes);
  if (!bulk_.may_write(static_cast<std::uint32_t>(low >> unit_shift_),
                       static_cast<std::uint32_t>(high >> unit_shift_), warp.index))
    return;
  for_each_lane(mask, [&](std::uint32_t lane) {
    const std::uint64_t offset = offsets[lane];
    if (offset >= warp.shared_bytes || bytes > warp.shared_bytes - offset) return;
    for (std::uint64_t at = offset; at < offset + bytes; at += unit_bytes_) {
      const auto* copy =
          bulk_.copy_to(static_cast<std::uint32_t>(at >> unit_shift_),
                        [&](BulkCopies::Incoming& one) { return is_there(one, warp, lane); });
      if (copy == nullptr) continue;
      const bool waited_beside =
          std::any_of(copy->waits.begin(), copy->waits.end(),
                      [&](const BulkCopies::Wait& wait) { return wait.warp == warp.index; });
      return note_finding(warp, inst, FindingKind::unfinished_copy, lane, [&] {
        return fmt::format(
            "{} shared memory at offset {} to which {} copy{} may still be on its "
            "way: {}",
            act_on(kind), at, copy->by_lanes != 0 ? "an asynchronous" : "a bulk",
            line_of(warp, copy->location),
            waited_beside
                ? "another lane of the warp waited for it, and this one did not: let each "
                  "wait for the mbarrier's phase, or put a __syncwarp() behind the wait"
            : copy->by_lanes != 0
                ? "wait first for the phase of the mbarrier that it was left to (wait() of a "
                  "cuda::barrier, consumer_wait() of a cuda::pipeline, or mbarrier.try_wait)"
                : "wait first for the phase of the mbarrier that counts its bytes "
                  "(cuda::barrier, or mbarrier.try_wait)");
      });
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
      return note_finding(warp, inst, FindingKind::unfinished_copy, lane, [&] {
        return fmt::format(
            "write to shared memory at offset {} that a bulk copy{} by {} may still be "
            "reading: that thread has to wait for it first "
            "(cp.async.bulk.commit_group, then cp.async.bulk.wait_group.read){}",
            at, line_of(warp, copy->location),
            own ? "the same thread" : describe(warp, copy->thread),
            own ? "" : ", and a barrier then has to follow");
      });
    }
  });
}

void Checker::look_for_bulk_targets(Warp& warp, const Inst& inst, std::uint32_t lanes,
                                    const std::uint64_t* addresses, std::uint32_t bytes,
                                    AccessKind kind) {
  for_each_lane(lanes, [&](std::uint32_t lane) {
    const auto copy = bulk_.copy_onto(addresses[lane], addresses[lane] + bytes);
    // Each element of a reduction is one atomic operation (PTX ISA 9.0, cp.reduce.async.bulk).
    if (!copy || (copy->is_reduction && kind == AccessKind::atomic)) return;
    note_finding(warp, inst, FindingKind::unfinished_copy, lane, [&] {
      return fmt::format(
          "read of global memory at {:#x} to which a bulk copy{} by {} may still be on "
          "its way: that thread has to wait until it is written "
          "(cp.async.bulk.wait_group without .read), and a barrier then has to follow "
          "for others",
          addresses[lane], line_of(warp, copy->location), describe(warp, copy->thread));
    });
  });
}

void Checker::end_block(Warp& warp) {
  if (order_ != nullptr) order_->end(static_cast<std::uint32_t>(number_));
  if (uses_ != nullptr) uses_->holds_back |= any_waited_ && !any_let_begin_;
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
