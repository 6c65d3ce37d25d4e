// The full checks.
#include "simulator/execute/checks/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "simulator/execute/execution.hpp"

namespace klab::sim {

Checker::Checker(std::uint32_t shared_bytes, std::uint32_t threads, std::uint32_t blocks,
                 const Program& program)
    : unit_bytes_(program.shared_unit_bytes),
      warp_epochs_((threads + lane_count - 1) / lane_count),
      lane_barriers_(warp_epochs_.size()),
      units_((shared_bytes + unit_bytes_ - 1) / unit_bytes_),
      written_(units_.size()),
      settled_(units_.size()),
      readers_of_warp_(warp_epochs_.size()),
      orders_warps_(program.may_order_warps),
      of_cluster_(orders_warps_ ? (threads + lane_count - 1) / lane_count * blocks : 0, blocks),
      blocks_(blocks),
      copies_(units_.size(), threads),
      bulk_(threads),
      fences_(threads),
      any_hears_(std::any_of(program.block_roles.begin(), program.block_roles.end(),
                             [](const OrderRole& role) { return role.acquires; })),
      stores_(static_cast<std::uint32_t>(warp_epochs_.size()), program.global_unit_bytes),
      loads_(stores_),
      changes_(stores_),
      unit_shift_(static_cast<std::uint32_t>(std::countr_zero(unit_bytes_))) {
  if (std::any_of(program.sites.begin(), program.sites.end(),
                  [](const Site& site) { return site.kind == Site::Kind::shared_atomic; }))
    unit_changes_.resize(units_.size());
  if (program.has_mbarriers)
    reads_ = ReadsByWarp(units_.size(), static_cast<std::uint32_t>(warp_epochs_.size()));
  block_barrier();
}

std::uint32_t Checker::new_readers() {
  if (++last_readers_ == 0) {  // begins anew: none of the old ones may be left
    std::fill(settled_.begin(), settled_.end(), 0);
    ++last_readers_;
  }
  return last_readers_;
}

void Checker::some_met() {
  if (any_waited_) all_have_waited();
  if (order_ != nullptr) order_->meet(static_cast<std::uint32_t>(number_));
  ++epoch_;
}

void Checker::block_barrier() {
  some_met();
  lane_barriers_.meet();
  barrier_epoch_ = epoch_;
  if (orders_warps_ && blocks_ > 1)
    hand_over_->meet(in_cluster(0), static_cast<std::uint32_t>(warp_epochs_.size()));
  stores_.forget();
  loads_.forget();
  changes_.forget();
  if (bulk_.any_incoming()) bulk_.forget_awaited();
  made_.clear();
  readers_of_two_ = new_readers();
  for (std::uint32_t& readers : readers_of_warp_) readers = new_readers();
}

bool Checker::races(const Access& earlier, const Access& now) const {
  if (earlier.epoch < barrier_epoch_ || earlier.thread == now.thread) return false;
  if (earlier.by_copy) return false;  // whoever waits for that is looked at as a bulk copy
  if (earlier.kind == AccessKind::load && now.kind == AccessKind::load) return false;
  if (earlier.kind == AccessKind::atomic && now.kind == AccessKind::atomic) return false;
  // A word that is atomic or volatile on both sides. Where there is no fence and no counter,
  // volatile stands for a barrier that is missing.
  if (earlier.strong && now.strong &&
      (orders_warps_ || earlier.kind == AccessKind::atomic || now.kind == AccessKind::atomic))
    return false;
  const std::uint32_t before = earlier.thread / lane_count, warp = now.thread / lane_count;
  const auto knows = [&] {
    return is_told(warp, now.thread % lane_count,
                   {in_cluster(before), 1u << earlier.thread % lane_count, earlier.time});
  };
  if (orders_warps_ && knows()) return false;
  if (before != warp) return true;
  const bool same_instruction = earlier.instant == now.instant &&
                                earlier.location == now.location && earlier.kind == now.kind;
  const bool reads_back = earlier.kind == AccessKind::store && now.kind != AccessKind::store;
  return !same_instruction && !met_since(earlier.warp_epoch, warp, earlier.thread % lane_count,
                                         now.thread % lane_count, reads_back);
}

// Where to look for what a gap at `at` lies beside: it is copied in pieces, and fills up to an
// alignment, of 16 bytes at most.
static std::uint64_t first_beside_gap(std::uint64_t at, std::uint64_t begin) {
  constexpr std::uint64_t most = 16;
  const std::uint64_t first = at / most * most;
  return std::max(first > 0 ? first - 1 : 0, begin);
}

// A copied structure's gap, as in global memory.
bool Checker::is_gap(CopyRole copy, std::uint64_t offset) const {
  if (copy.bytes == 0) return false;
  const auto is_written = [&](std::uint64_t at) {
    return written_[at >> unit_shift_] >= block_epoch_;
  };
  for (std::uint64_t at = offset; at < offset + copy.bytes; ++at)
    if (is_written(at)) return true;
  for (std::uint64_t at = offset; copy.may_be_gap && at > first_beside_gap(offset, 0); --at)
    if (is_written(at - 1)) return true;
  return false;
}

bool Checker::check_unit(Warp& warp, const Inst& inst, std::uint64_t offset, std::size_t index,
                         const Access& now) {
  SharedUnit& unit = units_[index];
  bool fine = true;
  // CUB reads a key behind the last one, and then does not use it; and what is reserved for
  // cooperative groups begins as zero.
  const Program& program = *warp.launch->program;
  const bool looks =
      program.reserved_shared_bytes == 0 || offset < warp.launch->reserved_shared_begin();
  if (looks && now.kind != AccessKind::store && written_[index] < block_epoch_ &&
      !is_of_cub(warp, inst) && !is_gap(copy_role(warp, inst), offset)) {
    fine = false;
    note_finding(warp, inst, FindingKind::uninitialized_shared, now.thread % lane_count, [&] {
      return fmt::format("read of shared memory at offset {} that the block has not written",
                         offset);
    });
  }
  if (unit.write.contested && unit.write.epoch >= block_epoch_ && now.kind != AccessKind::store)
    report_contest(warp, inst, offset, now.thread % lane_count, unit.write);
  const Access* worst = nullptr;  // of another warp, if there is one
  const auto compare = [&](const Access& earlier) {
    if (!races(earlier, now)) return;
    if (earlier.kind == AccessKind::store && stored_ != nullptr &&
        stored_->changes_nothing(warp, inst, now.thread % lane_count, offset))
      return;
    if (worst == nullptr || worst->thread / lane_count == now.thread / lane_count) worst = &earlier;
  };
  if (written_[index] >= barrier_epoch_) {
    compare(unit.write);
    if (now.kind != AccessKind::atomic && !unit_changes_.empty()) {
      compare(unit_changes_[index].last);
      compare(unit_changes_[index].earlier);
    }
  }
  std::optional<Access> read;
  if (now.kind != AccessKind::load) {  // loads don't race with each other
    compare(unit.read);
    compare(unit.earlier_read);
    if (reads_.any() && (worst == nullptr || worst->thread / lane_count == warp.index))
      if (read = unordered_read(index, now); read) worst = &*read;
  }
  if (fine && worst != nullptr) {
    fine = false;
    report_race(warp, offset, *worst, now);
  }
  if (now.kind == AccessKind::load) {
    remember_read(index, now);
  } else {
    if (now.kind != AccessKind::atomic || unit_changes_.empty())
      unit.write = now;
    else if (orders_warps_ || !unit_changes_[index].are_settled(now.epoch))
      unit_changes_[index].remember(now);
    written_[index] = now.epoch;
    settled_[index] = 0;
  }
  return fine;
}

void Checker::shared_access(Warp& warp, const Inst& inst, std::uint32_t mask,
                            const std::uint64_t* offsets, std::uint32_t bytes, AccessKind kind,
                            const StoredValues* stored) {
  if (!copies_.empty()) [[unlikely]]
    look_for_copies(warp, inst, mask, offsets, bytes, kind);
  if (bulk_.any()) [[unlikely]]
    look_for_bulk(warp, inst, mask, offsets, bytes, kind);
  stored_ = stored;
  note_access(warp, inst, mask, offsets, bytes, kind);
  if (stored != nullptr) look_for_contests(warp, inst, mask, offsets, bytes);
  stored_ = nullptr;
}

void Checker::fence_between_warps(const Warp& warp, std::uint32_t lanes) {
  if (orders_warps_) hand_over_->fence(in_cluster(warp.index), lanes);
  forget_uses_of(warp.index);
}

// It fenced: where some may hear of it, they may rely on what it did before.
void Checker::forget_uses_of(std::uint32_t warp) {
  if (!any_hears_) return;
  stores_.forget_those_of(warp);
  loads_.forget_those_of(warp);
}

void Checker::arrive_at_part(const Warp& warp, std::uint32_t barrier) {
  hand_over_->arrive(in_cluster(warp.index), part_of(barrier));
}

void Checker::pass_part(const Warp& warp, std::uint32_t barrier) {
  hand_over_->pass(in_cluster(warp.index), part_of(barrier));
}

Checker::Access Checker::access_by(const Warp& warp, const Inst& inst, AccessKind kind) const {
  Access now{epoch_, warp_epochs_[warp.index], location_of(warp, inst), instant_of(warp), 0, kind};
  now.strong = role_among_warps(warp, inst).strong;
  now.time = past_of(warp.index, 0).time;
  return now;
}

void Checker::note_access(Warp& warp, const Inst& inst, std::uint32_t mask,
                          const std::uint64_t* offsets, std::uint32_t bytes, AccessKind kind) {
  if (any_foreign_) [[unlikely]]
    look_for_foreign(warp, inst, mask, offsets, bytes, kind);
  const bool load = kind == AccessKind::load;
  const OrderRole role = role_among_warps(warp, inst);
  Access now = access_by(warp, inst, kind);
  if (role.releases && orders_warps_) fence_between_warps(warp, mask);
  if (load && !now.strong && mask == all_lanes && bytes == unit_bytes_) {
    bool inside = true;
    for (int lane = 0; lane < lane_count; ++lane) inside &= offsets[lane] < warp.shared_bytes;
    if (inside) return read_units(warp, inst, offsets, now);
  }
  if (load && !now.strong && reads_.any()) mask = read_runs(warp, mask, offsets, bytes, now);
  std::uint64_t settled_offset = ~std::uint64_t{0};  // of a lane whose neighbours read the same
  for_each_lane(mask, [&](std::uint32_t lane) {
    const std::uint64_t offset = own_offset(offsets[lane]);
    if (offset == settled_offset) return;
    if (offset >= warp.shared_bytes || bytes > warp.shared_bytes - offset) return;
    now.thread = static_cast<std::uint16_t>(warp.index * lane_count + lane);
    if (role.acquires && orders_warps_)
      hand_over_->hear(in_cluster(warp.index), 1u << lane, word_at(offset));
    if (role.strong && !load && orders_warps_)
      hand_over_->tell(in_cluster(warp.index), word_at(offset), kind == AccessKind::atomic);
    bool settled = load;
    for (std::uint64_t at = offset; at < offset + bytes; at += unit_bytes_) {
      const std::size_t unit = at >> unit_shift_;
      if (load && is_settled(unit, warp.index)) continue;
      settled = false;
      if (!check_unit(warp, inst, offset, unit, now)) break;
    }
    if (settled) settled_offset = offset;
  });
}

void Checker::overwrite(std::uint64_t offset, std::uint32_t bytes) {
  offset = own_offset(offset);
  const std::uint64_t end = std::min<std::uint64_t>(offset + bytes, written_.size() << unit_shift_);
  for (std::uint64_t at = offset; at < end; at += unit_bytes_)
    written_[at >> unit_shift_] = std::max(written_[at >> unit_shift_], block_epoch_);
}

void Checker::written_from_elsewhere(std::uint64_t offset, std::uint32_t bytes) {
  for (std::uint64_t at = offset; at < offset + bytes; at += unit_bytes_) {
    const std::size_t unit = at >> unit_shift_;
    units_[unit].write = {};
    if (!unit_changes_.empty()) unit_changes_[unit] = {};
    written_[unit] = epoch_;
    settled_[unit] = 0;
  }
}

void Checker::note_line(const Warp& warp, const Inst& inst, ByteRange range, AccessKind kind) {
  using How = UsesByLine::How;
  const UsesByLine::Use use{&warp.launch->program->locations[location_of(warp, inst)],
                            is_load(kind)               ? How::reads
                            : kind == AccessKind::store ? How::writes
                                                        : How::adds};
  uses_->all.add(use, range.begin, range.end);
  if (!waited_[warp.index]) uses_->early.add(use, range.begin, range.end);
}

bool Checker::global_range(Warp& warp, const Inst& inst, std::uint64_t address, std::uint64_t bytes,
                           AccessKind kind) {
  DeviceMemory& memory = *warp.launch->memory;
  if (uses_ != nullptr) note_line(warp, inst, {address, address + bytes}, kind);
  if (touched_ != nullptr) {
    ByteRanges& ranges = is_load(kind)               ? touched_->read
                         : kind == AccessKind::store ? touched_->written
                                                     : touched_->atomic;
    ranges.add(address, address + bytes);
  }
  if (kind != AccessKind::store && memory.first_uninitialized(address, bytes)) return false;
  if (is_load(kind)) return true;
  memory.mark_initialized(address, bytes);
  if (warp.launch->stored != nullptr && memory.in_arena(address))
    warp.launch->stored->mark(address - memory.arena(), bytes);
  return true;
}

// Whether this launch wrote some of [begin, end) already.
static bool wrote_before(const LaunchState& launch, std::uint64_t begin, std::uint64_t end) {
  const DeviceMemory& memory = *launch.memory;
  return launch.stored != nullptr && memory.in_arena(begin) &&
         launch.stored->first_marked(begin - memory.arena(), end - begin);
}

// A cache that is not kept coherent may still hold what was there before the launch.
void Checker::look_for_stale(Warp& warp, const Inst& inst, std::uint32_t lanes,
                             const std::uint64_t* addresses, std::uint32_t bytes) {
  const DeviceMemory& memory = *warp.launch->memory;
  for_each_lane(lanes, [&](std::uint32_t lane) {
    if (wrote_before(*warp.launch, addresses[lane], addresses[lane] + bytes))
      note_finding(warp, inst, FindingKind::stale_read, lane, [&] {
        return fmt::format(
            "read of {} at {:#x} by way of the read-only cache (__ldg(), "
            "const __restrict__, or a texture), which may still hold what was there before "
            "this kernel wrote it: {}. A plain load sees what the kernel writes",
            counted(bytes, "byte"), addresses[lane], memory.describe(addresses[lane]));
      });
  });
}

// Whether a copied structure's gap lies there: beside what was written, and never written itself.
static bool is_gap_of(const DeviceMemory& memory, CopyRole copy, std::uint64_t address,
                      std::uint32_t bytes) {
  if (copy.bytes != 0 && memory.is_written_in_part(address, bytes)) return true;
  const Allocation* found = copy.may_be_gap ? memory.find(address) : nullptr;
  if (found == nullptr) return false;
  const std::uint64_t begin = first_beside_gap(address, found->base);
  return memory.is_written_in_part(begin, static_cast<std::uint32_t>(address - begin));
}

void Checker::global_access(Warp& warp, const Inst& inst, std::uint32_t mask,
                            const std::uint64_t* addresses, std::uint32_t bytes, AccessKind kind) {
  DeviceMemory& memory = *warp.launch->memory;
  const bool load = is_load(kind);
  if (orders_warps_) hand_over_globally(warp, inst, mask, addresses, kind);
  const auto against = uses_against(warp, inst, kind);
  const auto may_race = [](RecentUses* uses, std::uint64_t begin, std::uint64_t end) {
    return uses != nullptr && uses->may_hold(begin, end);
  };
  if (watches_threads_) remember_use(warp, inst, mask, addresses, bytes, kind);
  while (mask != 0) {
    // Lanes whose elements are neighbours, or the same, are looked at together.
    const std::uint64_t begin = addresses[std::countr_zero(mask)];
    std::uint64_t end = begin + bytes;
    std::uint32_t lanes = 0;
    for (; mask != 0; mask &= mask - 1) {
      const std::uint64_t address = addresses[std::countr_zero(mask)];
      if (address == end)
        end += bytes;
      else if (address < begin || address + bytes > end)
        break;
      lanes |= mask & (0 - mask);
    }
    if (bulk_.any_outgoing() && kind != AccessKind::store) [[unlikely]]
      look_for_bulk_targets(warp, inst, lanes, addresses, bytes, kind);
    if (may_race(against[0], begin, end) | may_race(against[1], begin, end))
      look_for_recent(warp, inst, lanes, addresses, bytes, kind);
    if (kind == AccessKind::read_only_load && wrote_before(*warp.launch, begin, end))
      look_for_stale(warp, inst, lanes, addresses, bytes);
    if (warp.launch->block_uses != nullptr && memory.in_arena(begin))
      look_for_other_blocks(warp, inst, addresses, lanes, {begin, end}, kind);
    if (order_ != nullptr && memory.in_arena(begin))
      look_for_order(warp, inst, lanes, addresses, bytes, kind);
    if (global_range(warp, inst, begin, end - begin, kind)) continue;
    for_each_lane(lanes, [&](std::uint32_t lane) {
      // A word that tells whether the one beside it is there yet; or what CUB copies with the gap
      // between two members.
      const bool may_be_part = kind == AccessKind::ordered_load || is_of_cub(warp, inst);
      if (may_be_part && memory.is_written_in_part(addresses[lane], bytes)) return;
      if (is_gap_of(memory, copy_role(warp, inst), addresses[lane], bytes)) return;
      if (const auto first = memory.first_uninitialized(addresses[lane], bytes))
        note_finding(warp, inst, FindingKind::uninitialized_read, lane, [&] {
          return fmt::format("read of {} at {:#x} that nothing has written, {}",
                             counted(bytes, "byte"), addresses[lane], memory.describe(*first));
        });
    });
    if (!load) memory.mark_initialized(begin, end - begin);
  }
}

}  // namespace klab::sim
