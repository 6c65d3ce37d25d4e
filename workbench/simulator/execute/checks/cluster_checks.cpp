// The full checks of shared memory that blocks of a cluster use of each other.
#include <fmt/format.h>

#include <bit>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"

namespace klab::sim {

namespace {

std::string told(const Warp& warp, AccessKind kind, std::uint64_t offset, std::uint32_t location,
                 AccessKind other, const char* of_whom) {
  return fmt::format(
      "{} shared memory at offset {} that {} {}{}, and no barrier of the cluster lies between "
      "the two (cluster.sync(); one whose arrival is relaxed orders no memory, nor does "
      "__syncthreads() between blocks), nor does the one arrive at an mbarrier, or set a flag "
      "behind a fence, after its use that the other waits for before",
      act_on(kind), offset, of_whom, is_load(other) ? "read" : "wrote",
      at_line(warp.launch->program->locations[location]));
}

}  // namespace

// What else is atomic is strong.
bool Checker::is_arrival(const Warp& by, const Inst& inst, AccessKind kind) {
  return kind == AccessKind::atomic && !role_among_warps(by, inst).strong;
}

void Checker::used_from_elsewhere(const Warp& by, const Inst& inst, std::uint32_t lane,
                                  AccessKind kind, std::uint64_t barriers_passed) {
  // A word that tells of something may itself be the last that a block has to do with another.
  const OrderRole role = role_among_warps(by, inst);
  if (is_arrival(by, inst, kind) || (orders_warps_ && role.strong)) return;
  last_used_ =
      LastForeignUse{location_of(by, inst), barriers_passed, by.checker->past_of(by.index, lane)};
}

std::optional<std::uint32_t> Checker::still_used(std::uint64_t barriers_passed) const {
  if (!last_used_ || last_used_->barriers_passed != barriers_passed) return std::nullopt;
  const auto warps = static_cast<std::uint32_t>(warp_epochs_.size());
  if (orders_warps_ && hand_over_->any_knows(in_cluster(0), warps, last_used_->past))
    return std::nullopt;
  return last_used_->location;
}

void Checker::hand_over_by(const Warp& by, const Inst& inst, std::uint32_t lane,
                           std::uint64_t offset, AccessKind kind) {
  if (!orders_warps_) return;
  const OrderRole role = role_among_warps(by, inst);
  if (role.releases) by.checker->fence_between_warps(by, 1u << lane);
  if (!role.strong) return;
  const std::uint32_t warp = by.checker->in_cluster(by.index);
  if (role.acquires) hand_over_->hear(warp, 1u << lane, word_at(offset));
  if (!is_load(kind)) hand_over_->tell(warp, word_at(offset), kind != AccessKind::store);
}

// Of two that are both other blocks, or one of them. What is stored twice may be the same.
bool Checker::races_abroad(const ForeignUse& earlier, const ForeignUse& now, const Warp& by) const {
  const Access& before = earlier.access;
  Access use = now.access;
  if (earlier.epoch < cluster_epoch_ || before.kind == use.kind || (before.strong && use.strong))
    return false;
  return any_lane(now.past.lanes, [&](std::uint32_t lane) {
    use.thread = static_cast<std::uint16_t>(by.index * lane_count + lane);
    return earlier.rank == now.rank ? by.checker->races(before, use)
                                    : !by.checker->is_told(by.index, lane, earlier.past);
  });
}

// An access of the block whose memory it is, and one of another block.
bool Checker::races_at_home(const Access& own, const ForeignUse& now, const Warp& by) const {
  if (own.epoch < cluster_epoch_ || own.by_copy ||
      (is_load(own.kind) && is_load(now.access.kind)) || (own.strong && now.access.strong))
    return false;
  const std::uint32_t thread = own.thread;
  return any_lane(now.past.lanes, [&](std::uint32_t lane) {
    return !by.checker->is_told(
        by.index, lane, {in_cluster(thread / lane_count), 1u << thread % lane_count, own.time});
  });
}

Checker::ForeignUse Checker::foreign_use(const Warp& by, const Inst& inst, AccessKind kind) {
  foreign_.resize(units_.size());
  any_foreign_ = true;
  return {epoch_, by.checker->rank_, by.checker->access_by(by, inst, kind),
          by.checker->past_of(by.index, 0)};
}

void Checker::use_from_elsewhere(Warp& by, const Inst& inst, std::uint32_t lane,
                                 std::uint64_t offset, std::uint32_t bytes, AccessKind kind) {
  if (!is_arrival(by, inst, kind))
    note_foreign(by, inst, foreign_use(by, inst, kind), 1u << lane, offset, bytes);
}

void Checker::loads_from_elsewhere(Warp& by, const Inst& inst, std::uint32_t mask,
                                   const std::uint64_t* addresses, std::uint32_t bytes) {
  const ForeignUse use = foreign_use(by, inst, AccessKind::load);
  // Lanes that read the same are told of together.
  for (std::uint32_t left = mask; left != 0;) {
    const std::uint64_t address = addresses[std::countr_zero(left)];
    std::uint32_t same = 0;
    for_each_lane(left, [&](std::uint32_t lane) {
      same |= static_cast<std::uint32_t>(addresses[lane] == address) << lane;
    });
    note_foreign(by, inst, use, same, own_offset(address), bytes);
    left &= ~same;
  }
}

void Checker::note_foreign(Warp& by, const Inst& inst, ForeignUse now, std::uint32_t lanes,
                           std::uint64_t offset, std::uint32_t bytes) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const AccessKind kind = now.access.kind;
  now.access.thread = static_cast<std::uint16_t>(by.index * lane_count + lane);
  now.past.lanes = lanes;
  const auto tell = [&](std::uint64_t at, const Access& other, const char* whose) {
    note_finding(by, inst, FindingKind::block_race, lane,
                 [&] { return told(by, kind, at, other.location, other.kind, whose); });
  };
  // What is read races with writes alone.
  const std::size_t looked_at = is_load(kind) ? 1 : 3;
  for (std::uint64_t at = offset; at < offset + bytes; at += unit_bytes_) {
    const std::size_t unit = at >> unit_shift_;
    ForeignUses& uses = foreign_[unit];
    const SharedChanges changes = unit_changes_.empty() ? SharedChanges{} : unit_changes_[unit];
    const Access* const owns[] = {&changes.last, &changes.earlier, &units_[unit].write,
                                  &units_[unit].read, &units_[unit].earlier_read};
    const ForeignUse* const others[] = {&uses.write, &uses.read, &uses.earlier_read};
    bool races = false;
    for (std::size_t i = 0; i < looked_at + 2 && !races; ++i)
      if ((races = races_at_home(*owns[i], now, by)))
        tell(at, *owns[i], "the block that it belongs to");
    for (std::size_t i = 0; i < looked_at && !races; ++i)
      if ((races = races_abroad(*others[i], now, by)))
        tell(at, others[i]->access,
             others[i]->rank == now.rank ? "another thread of this block"
                                         : "another block of the cluster");
    if (is_load(kind) && uses.read.past.warp != now.past.warp) uses.earlier_read = uses.read;
    (is_load(kind) ? uses.read : uses.write) = now;
    if (races) return;
  }
}

void Checker::look_for_foreign(Warp& warp, const Inst& inst, std::uint32_t mask,
                               const std::uint64_t* offsets, std::uint32_t bytes, AccessKind kind) {
  const bool strong = role_among_warps(warp, inst).strong;
  // With no use that could race with any lane's there is nothing to ask its neighbours.
  std::uint64_t quiet_offset = ~std::uint64_t{0};
  for_each_lane(mask, [&](std::uint32_t lane) {
    const std::uint64_t offset = own_offset(offsets[lane]);
    if (offset == quiet_offset) return;
    bool quiet = true;
    if (offset >= warp.shared_bytes || bytes > warp.shared_bytes - offset) return;
    const auto races = [&](const ForeignUse& other) {
      if (other.epoch < cluster_epoch_ || (is_load(other.access.kind) && is_load(kind)) ||
          (other.access.strong && strong))
        return false;
      quiet = false;
      return !is_told(warp.index, lane, other.past);
    };
    for (std::uint64_t at = offset; at < offset + bytes; at += unit_bytes_) {
      const ForeignUses& uses = foreign_[at >> unit_shift_];
      for (const ForeignUse* other : {&uses.write, &uses.read, &uses.earlier_read})
        if (races(*other))
          return note_finding(warp, inst, FindingKind::block_race, lane, [&] {
            return told(warp, kind, at, other->access.location, other->access.kind,
                        "another block of the cluster");
          });
    }
    if (quiet) quiet_offset = offset;
  });
}

void note_block_scope_abroad(Warp& warp, const Inst& inst, std::uint32_t lane) {
  note_finding(warp, inst, FindingKind::block_race, lane,
               "atomic operation within the block alone (atomicAdd_block() and its like) on shared "
               "memory of another block of the cluster: between blocks it is none. Use the one "
               "without _block");
}

}  // namespace klab::sim
