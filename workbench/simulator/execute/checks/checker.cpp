// The full checks.
#include "simulator/execute/checks/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "simulator/execute/execution.hpp"

namespace klab::sim {

Checker::Checker(std::uint32_t shared_bytes, std::uint32_t threads, std::uint32_t unit_bytes,
                 bool orders_warps)
    : unit_bytes_(unit_bytes),
      warp_epochs_((threads + lane_count - 1) / lane_count),
      units_((shared_bytes + unit_bytes - 1) / unit_bytes),
      written_(units_.size()),
      settled_(units_.size()),
      readers_of_warp_(warp_epochs_.size()),
      orders_warps_(orders_warps),
      hand_over_((threads + lane_count - 1) / lane_count),
      copies_(units_.size(), threads),
      bulk_(threads),
      fences_(threads),
      unit_shift_(static_cast<std::uint32_t>(std::countr_zero(unit_bytes))) {
  block_barrier();
}

std::uint32_t Checker::new_readers() {
  if (++last_readers_ == 0) {  // begins anew: none of the old ones may be left
    std::fill(settled_.begin(), settled_.end(), 0);
    ++last_readers_;
  }
  return last_readers_;
}

void Checker::block_barrier() {
  if (any_waited_) all_have_waited();
  if (order_ != nullptr) order_->meet(static_cast<std::uint32_t>(number_));
  ++epoch_;
  readers_of_two_ = new_readers();
  for (std::uint32_t& readers : readers_of_warp_) readers = new_readers();
}

bool Checker::races(const Access& earlier, const Access& now) const {
  if (earlier.epoch != now.epoch || earlier.thread == now.thread) return false;
  if (earlier.kind == AccessKind::load && now.kind == AccessKind::load) return false;
  if (earlier.kind == AccessKind::atomic && now.kind == AccessKind::atomic) return false;
  // A word that is atomic or volatile on both sides. Where there is no fence and no counter,
  // volatile stands for a barrier that is missing.
  if (earlier.strong && now.strong &&
      (orders_warps_ || earlier.kind == AccessKind::atomic || now.kind == AccessKind::atomic))
    return false;
  const std::uint32_t before = earlier.thread / lane_count, warp = now.thread / lane_count;
  if (before != warp) return !orders_warps_ || !hand_over_.knows(warp, before, earlier.time);
  if (orders_warps_ && hand_over_.heard_itself(warp, earlier.time)) return false;
  const bool same_instruction = earlier.instant == now.instant &&
                                earlier.location == now.location && earlier.kind == now.kind;
  return earlier.warp_epoch == now.warp_epoch && !same_instruction;
}

inline void Checker::remember_read(std::size_t index, const Access& now) {
  Unit& unit = units_[index];
  if (unit.read.thread != now.thread || unit.read.epoch != now.epoch) unit.earlier_read = unit.read;
  unit.read = now;
  const Access& before = unit.earlier_read;
  if (before.epoch != now.epoch || !written_before(index)) return;
  const std::uint32_t warp = now.thread / lane_count;
  if (before.thread / lane_count != warp)
    settled_[index] = readers_of_two_;
  else if (before.warp_epoch == now.warp_epoch)
    settled_[index] = readers_of_warp_[warp];
}

bool Checker::check_unit(Warp& warp, const Inst& inst, std::uint64_t offset, std::size_t index,
                         const Access& now) {
  Unit& unit = units_[index];
  bool fine = true;
  // CUB reads a key behind the last one, and then does not use it; and what is reserved for
  // cooperative groups begins as zero.
  const Program& program = *warp.launch->program;
  const bool looks = !program.is_of_cub && (program.reserved_shared_bytes == 0 ||
                                            offset < warp.launch->reserved_shared_begin());
  if (looks && now.kind != AccessKind::store && written_[index] < block_epoch_) {
    fine = false;
    note_finding(
        warp, inst, FindingKind::uninitialized_shared, now.thread % lane_count,
        fmt::format("read of shared memory at offset {} that the block has not written", offset));
  }
  const Access* worst = nullptr;  // of another warp, if there is one
  const auto compare = [&](const Access& earlier) {
    if (!races(earlier, now)) return;
    if (worst == nullptr || worst->thread / lane_count == now.thread / lane_count) worst = &earlier;
  };
  if (written_[index] == now.epoch) compare(unit.write);
  if (now.kind != AccessKind::load) {  // loads don't race with each other
    compare(unit.read);
    compare(unit.earlier_read);
  }
  if (fine && worst != nullptr) {
    fine = false;
    report_race(warp, offset, *worst, now);
  }
  if (now.kind == AccessKind::load) {
    remember_read(index, now);
  } else {
    unit.write = now;
    written_[index] = now.epoch;
    settled_[index] = 0;
  }
  return fine;
}

// A read by all lanes, of a unit each. Nothing is left to do in a unit whose readers are settled;
// in one that was written before the last barrier the readers are remembered.
void Checker::read_units(Warp& warp, const Inst& inst, const std::uint64_t* offsets, Access now) {
  const std::uint32_t two = readers_of_two_, same = readers_of_warp_[warp.index];
  const std::uint32_t* settled = settled_.data();
  const std::uint32_t shift = unit_shift_;
  for (std::uint32_t first = 0; first < lane_count; first += 8) {
    bool all = true;
    for (std::uint32_t lane = first; lane < first + 8; ++lane) {
      const std::uint32_t readers = settled[offsets[lane] >> shift];
      all &= (readers == two) | (readers == same);
    }
    if (all) continue;
    for (std::uint32_t lane = first; lane < first + 8; ++lane) {
      const std::size_t unit = offsets[lane] >> shift;
      if (settled[unit] == two || settled[unit] == same) continue;
      now.thread = static_cast<std::uint16_t>(warp.index * lane_count + lane);
      if (written_before(unit))
        remember_read(unit, now);
      else
        check_unit(warp, inst, offsets[lane], unit, now);
    }
  }
}

void Checker::shared_access(Warp& warp, const Inst& inst, std::uint32_t mask,
                            const std::uint64_t* offsets, std::uint32_t bytes, AccessKind kind) {
  if (!copies_.empty()) [[unlikely]]
    look_for_copies(warp, inst, mask, offsets, bytes, kind);
  if (bulk_.any()) [[unlikely]]
    look_for_bulk(warp, inst, mask, offsets, bytes, kind);
  note_access(warp, inst, mask, offsets, bytes, kind);
}

OrderRole Checker::role_among_warps(const Warp& warp, const Inst& inst) const {
  const Program& program = *warp.launch->program;
  return program.block_roles[static_cast<std::size_t>(&inst - program.code.data())];
}

void Checker::fence_between_warps(const Warp& warp) {
  if (orders_warps_) hand_over_.fence(warp.index);
}

void Checker::arrive_at_part(const Warp& warp, std::uint32_t barrier) {
  hand_over_.arrive(warp.index, barrier);
}

void Checker::pass_part(const Warp& warp, std::uint32_t barrier) {
  hand_over_.pass(warp.index, barrier);
}

void Checker::note_access(Warp& warp, const Inst& inst, std::uint32_t mask,
                          const std::uint64_t* offsets, std::uint32_t bytes, AccessKind kind) {
  const bool load = kind == AccessKind::load;
  Access now{epoch_, warp_epochs_[warp.index], location_of(warp, inst), instant_of(warp), 0, kind};
  const OrderRole role = role_among_warps(warp, inst);
  now.strong = role.strong;
  now.time = orders_warps_ ? hand_over_.now(warp.index) : 0;
  if (role.releases && orders_warps_) fence_between_warps(warp);
  if (load && !now.strong && mask == all_lanes && bytes == unit_bytes_) {
    bool inside = true;
    for (int lane = 0; lane < lane_count; ++lane) inside &= offsets[lane] < warp.shared_bytes;
    if (inside) return read_units(warp, inst, offsets, now);
  }
  std::uint64_t settled_offset = ~std::uint64_t{0};  // of a lane whose neighbours read the same
  for_each_lane(mask, [&](std::uint32_t lane) {
    const std::uint64_t offset = offsets[lane];
    if (offset == settled_offset) return;
    if (offset >= warp.shared_bytes || bytes > warp.shared_bytes - offset) return;
    now.thread = static_cast<std::uint16_t>(warp.index * lane_count + lane);
    if (role.acquires && orders_warps_) hand_over_.hear(warp.index, offset / 4);
    if (role.strong && !load && orders_warps_)
      hand_over_.tell(warp.index, offset / 4, kind == AccessKind::atomic);
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

void Checker::written_from_elsewhere(std::uint64_t offset, std::uint32_t bytes) {
  for (std::uint64_t at = offset; at < offset + bytes; at += unit_bytes_) {
    const std::size_t unit = at >> unit_shift_;
    units_[unit].write = {};
    written_[unit] = epoch_;
    settled_[unit] = 0;
  }
}

void Checker::report_race(Warp& warp, std::uint64_t offset, const Access& earlier,
                          const Access& now) {
  const Program& program = *warp.launch->program;
  const auto verb = [](AccessKind kind) {
    return kind == AccessKind::load    ? "read"
           : kind == AccessKind::store ? "write"
                                       : "atomic operation";
  };
  const bool within_warp = earlier.thread / lane_count == warp.index;
  const std::uint64_t places = std::uint64_t{now.location} << 32 |
                               std::uint64_t{earlier.location} << 1 | (within_warp ? 1 : 0);
  if (std::find(told_.begin(), told_.end(), places) != told_.end()) return;
  told_.push_back(places);
  Finding finding;
  finding.kind = within_warp ? FindingKind::warp_race : FindingKind::shared_race;
  finding.kernel = program.kernel_name;
  finding.where = program.locations[now.location];
  finding.other_where = program.locations[earlier.location];
  if (warp.launch->is_known(finding)) return;
  finding.thread = thread_of(warp, now.thread % lane_count);
  finding.address = offset;
  finding.allocation = fmt::format("the block's {} bytes of shared memory", warp.shared_bytes);
  Warp other = warp;
  other.index = earlier.thread / lane_count;
  finding.other_thread = thread_of(other, earlier.thread % lane_count);
  finding.message = fmt::format(
      "race on shared memory at offset {}: {}{} by {} and {}{} by {}, with no {} between them",
      offset, verb(now.kind), at_line(finding.where), describe_thread(*finding.thread),
      verb(earlier.kind), at_line(*finding.other_where), describe_thread(*finding.other_thread),
      within_warp ? "__syncwarp()" : "__syncthreads()");
  warp.launch->add_finding(std::move(finding));
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
      note_finding(warp, inst, FindingKind::stale_read, lane,
                   fmt::format("read of {} bytes at {:#x} by way of the read-only cache (__ldg(), "
                               "or const __restrict__), which may still hold what was there before "
                               "this kernel wrote it: {}. A plain load sees what the kernel writes",
                               bytes, addresses[lane], memory.describe(addresses[lane])));
  });
}

// In this simulation one block comes before the other; on a GPU nobody knows.
void Checker::look_for_other_blocks(Warp& warp, const Inst& inst, const std::uint64_t* addresses,
                                    std::uint32_t lanes, ByteRange range, AccessKind kind) {
  const LaunchState& launch = *warp.launch;
  const std::uint64_t offset = range.begin - launch.memory->arena();
  const std::uint64_t bytes = range.end - range.begin;
  const bool store = kind == AccessKind::store, own = kind == AccessKind::block_atomic;
  auto other = store ? launch.block_uses->store(number_, offset, bytes)
                     : launch.block_uses->read(number_, offset, bytes);
  // It changes what others must not touch.
  if (own)
    if (const auto more = launch.block_uses->store(number_, offset, bytes)) other = more;
  if (!other) return;
  const std::uint64_t address = std::max(range.begin, launch.memory->arena() + other->offset);
  std::uint32_t lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  for_each_lane(lanes, [&](std::uint32_t l) { lane = addresses[l] <= address ? l : lane; });
  const auto& grid = launch.config.grid;
  const bool known = other->block && launch.cluster.count() == 1;
  const std::uint64_t number = other->block.value_or(0);
  const std::string who = known ? fmt::format("block ({}, {}, {})", number % grid.x,
                                              number / grid.x % grid.y, number / grid.x / grid.y)
                                : "other blocks";
  if (own) {
    note_finding(warp, inst, FindingKind::block_race, lane,
                 fmt::format("atomic operation within the block alone (atomicAdd_block() and its "
                             "like) on global memory at {:#x} that {} use in the same launch, too: "
                             "between blocks it is none. Use the one without _block: {}",
                             address, who, launch.memory->describe(address)));
    return;
  }
  note_finding(
      warp, inst, FindingKind::block_race, lane,
      fmt::format("{} of global memory at {:#x} that {} {} in the same launch, and nothing "
                  "says which comes first: blocks run in any order. Do the one in a kernel "
                  "of its own, before or behind the other: {}",
                  store                        ? "write"
                  : kind == AccessKind::atomic ? "atomic operation"
                                               : "read",
                  address, who, store ? "read" : "wrote", launch.memory->describe(address)));
}

// Whether something wrote one of the bytes, if not all.
static bool is_written_in_part(const DeviceMemory& memory, std::uint64_t address,
                               std::uint32_t bytes) {
  bool any = false;
  for (std::uint32_t at = 0; at < bytes; ++at) any |= !memory.first_uninitialized(address + at, 1);
  return any;
}

void Checker::global_access(Warp& warp, const Inst& inst, std::uint32_t mask,
                            const std::uint64_t* addresses, std::uint32_t bytes, AccessKind kind) {
  DeviceMemory& memory = *warp.launch->memory;
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
      look_for_bulk_targets(warp, inst, lanes, addresses, bytes);
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
      const bool may_be_part = kind == AccessKind::ordered_load || warp.launch->program->is_of_cub;
      if (may_be_part && is_written_in_part(memory, addresses[lane], bytes)) return;
      if (const auto first = memory.first_uninitialized(addresses[lane], bytes))
        note_finding(warp, inst, FindingKind::uninitialized_read, lane,
                     fmt::format("read of {} bytes at {:#x} that nothing has written, {}", bytes,
                                 addresses[lane], memory.describe(*first)));
    });
    if (!is_load(kind)) memory.mark_initialized(begin, end - begin);
  }
}

}  // namespace klab::sim
