// The full checks of what blocks, warps and lanes hand over to each other: behind a fence, an
// atomic operation or flag; behind an arrival at an mbarrier, a wait for its phase.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"

namespace klab::sim {

namespace {

std::string name_of_block(const LaunchState& launch, std::uint64_t number) {
  const Dim3& grid = launch.config.grid;
  return fmt::format("block ({}, {}, {})", number % grid.x, number / grid.x % grid.y,
                     number / grid.x / grid.y);
}

// Of global memory: in a cooperative launch other blocks mostly have a part in it, too.
std::string missing_order(const Warp& warp, bool within_warp, bool have_met) {
  const char* const within_block = missing_barrier(within_warp, have_met);
  return warp.launch->config.cooperative
             ? fmt::format("grid.sync() (or, for this block alone, {})", within_block)
             : within_block;
}

bool any_role(const Program& program, bool (*is)(const OrderRole&)) {
  return std::any_of(program.code_roles.begin(), program.code_roles.end(), is);
}

// What puts two blocks in order that share a word, where there is no fence.
std::string order_of_blocks(const Program& program, bool is_sum) {
  if (any_role(program, [](const OrderRole& role) { return role.of_the_block; }))
    return "An atomic operation within the block alone (atomicAdd_block() and its like) is none "
           "for "
           "other blocks: use the one without _block, and do what needs its result in a kernel of "
           "its own behind this one";
  if (any_role(program, [](const OrderRole& role) { return role.strong && !role.is_blind; }))
    return "Where an atomic operation tells of it, such as the ticket of the last block "
           "or a lock, a __threadfence() has to lie between what was done and that "
           "operation, and another one behind it where it is heard of; else do the one "
           "in a kernel of its own, before or behind the other";
  if (is_sum)
    return "A __syncthreads() waits for the own block alone. Read the sum in a kernel of its own "
           "behind this one, or in the last block to come: each adds 1 to a counter behind a "
           "__threadfence(), and the one whose atomicAdd() finds gridDim.x - 1 there knows that "
           "all "
           "have added";
  return "Do the one in a kernel of its own, before or behind the other, or where each "
         "block changes one value, use an atomic operation (atomicAdd())";
}

std::string atomic_of_the_block(const Warp& warp, std::uint64_t address, const std::string& who) {
  return fmt::format(
      "atomic operation within the block alone (atomicAdd_block() and its like) on global memory "
      "at "
      "{:#x} that {} used in the same launch, too: between blocks it is none. Use the one without "
      "_block: {}",
      address, who, warp.launch->memory->describe(address));
}

// An atomic operation of the block's scope changes what others must not touch.
std::optional<UsesByBlock::Conflict> conflict_of_blocks(const Warp& warp, const Inst& inst,
                                                        std::uint64_t block, ByteRange range,
                                                        AccessKind kind) {
  UsesByBlock& uses = *warp.launch->block_uses;
  const std::uint64_t offset = range.begin - warp.launch->memory->arena();
  const std::uint64_t bytes = range.end - range.begin;
  if (is_load(kind)) return uses.read(block, offset, bytes);
  if (kind == AccessKind::store) return uses.store(block, offset, bytes);
  if (kind == AccessKind::atomic)
    return role_among_blocks(warp, inst).adds_up ? uses.add(block, offset, bytes)
                                                 : uses.change(block, offset, bytes);
  const auto stored = uses.change(block, offset, bytes);
  const auto other = uses.store(block, offset, bytes);
  return other ? other : stored;
}

// What goes by single threads; a bulk copy's bytes are looked at as such.
constexpr std::uint32_t most_thread_bytes = 16;

}  // namespace

const char* remedy_at(const SourceLocation& one, const SourceLocation& other, bool atomic) {
  if (one.of_cub && other.of_cub)
    return " (both within CUB: its temporary storage is used again. Put a barrier between the two "
           "uses, or give each its own)";
  return !atomic && one.line != 0 && one.line == other.line && one.file == other.file
             ? " (where each thread changes one value, use an atomic operation, such as "
               "atomicAdd())"
             : "";
}

void Checker::wait_for_kernel(const Warp& warp) {
  waited_[warp.index] = any_waited_ = true;
  if (uses_ != nullptr) uses_->waited = true;
}

// What another warp of the block has waited for is in no order with this one, without a barrier.
void Checker::let_kernel_begin(const Warp& warp) {
  any_let_begin_ = true;
  if (uses_ == nullptr) return;
  uses_->lets_begin = true;
  uses_->holds_back |= waited_[warp.index];
}

void Checker::remember_use(const Warp& warp, const Inst& inst, std::uint32_t mask,
                           const std::uint64_t* addresses, std::uint32_t bytes, AccessKind kind) {
  const OrderRole role = role_among_warps(warp, inst);
  if (role.releases) forget_uses_of(warp.index);
  if (bytes > most_thread_bytes || is_of_cub(warp, inst)) return;
  RecentUses::Use use{warp.index, warp_epochs_[warp.index], past_of(warp.index, 0).time,
                      location_of(warp, inst)};
  if (!role.strong) return (is_load(kind) ? loads_ : stores_).add(use, mask, addresses, bytes);
  // Of those that nobody looks at; and where a ticket may tell that all have added, who knows.
  const OrderRole change = role_among_blocks(warp, inst);
  use.changes = true;
  use.adds_up = change.adds_up;
  if (change.is_blind && !any_hears_) changes_.add(use, mask, addresses, bytes);
}

// With no fence behind it nothing but a barrier could have told of it.
bool Checker::is_unordered(const Warp& warp, std::uint32_t lane, const RecentUses::Found& other,
                           bool reads_back) const {
  const RecentUses::Use& use = *other.use;
  if (use.warp == warp.index && met_since(use.warp_epoch, use.warp, other.lane, lane, reads_back))
    return false;
  return !is_told(warp.index, lane, {in_cluster(use.warp), 1u << other.lane, use.time});
}

// A load and a store are compared with what others changed, too. An atomic operation takes up what
// was stored; where a kernel has fences and locks, a plain store may give one back. What is added
// to nobody may have read before: of a minimum or a flag many look at what is there so far.
std::array<RecentUses*, 2> Checker::uses_against(const Warp& warp, const Inst& inst,
                                                 AccessKind kind) {
  if (is_load(kind)) return {&stores_, &changes_};
  if (kind == AccessKind::store) return {&loads_, &changes_};
  const bool adds_up = !any_hears_ && role_among_blocks(warp, inst).adds_up;
  return {orders_warps_ && any_hears_ ? nullptr : &stores_, adds_up ? &loads_ : nullptr};
}

Checker::RecentUse Checker::conflicting_use(const Warp& warp, const Inst& inst, std::uint32_t lane,
                                            std::uint64_t address, std::uint32_t bytes,
                                            AccessKind kind) {
  for (RecentUses* uses : uses_against(warp, inst, kind)) {
    if (uses == nullptr || !uses->may_hold(address, address + bytes)) continue;
    RecentUses::Found found;
    if (uses == &stores_) {
      found = stores_.last(warp.index, lane, address, bytes);
      if (found.use != nullptr && is_unordered(warp, lane, found, true)) return {found, "wrote"};
      continue;
    }
    found = uses->any(warp.index, lane, address, bytes, [&](const RecentUses::Found& other) {
      return (uses == &loads_ || !is_load(kind) || other.use->adds_up) &&
             is_unordered(warp, lane, other, false);
    });
    if (found.use == nullptr) continue;
    return {found, uses == &loads_      ? "read"
                   : found.use->adds_up ? "added to by an atomic operation"
                                        : "changed by an atomic operation"};
  }
  return {};
}

void Checker::look_for_recent(Warp& warp, const Inst& inst, std::uint32_t lanes,
                              const std::uint64_t* addresses, std::uint32_t bytes,
                              AccessKind kind) {
  const bool changes = !is_load(kind) && kind != AccessKind::store;
  if (bytes > most_thread_bytes || (!changes && role_among_warps(warp, inst).strong)) return;
  const Program& program = *warp.launch->program;
  for_each_lane(lanes, [&](std::uint32_t lane) {
    const auto [other, what] = conflicting_use(warp, inst, lane, addresses[lane], bytes, kind);
    if (other.use == nullptr) return;
    const bool within_warp = other.use->warp == warp.index;
    Warp by = warp;
    by.index = other.use->warp;
    note_finding(
        warp, inst, within_warp ? FindingKind::warp_race : FindingKind::shared_race, lane, [&] {
          const SourceLocation &there = program.locations[other.use->location],
                               &here = program.locations[location_of(warp, inst)];
          return fmt::format(
              "{} global memory at {:#x} that {} {}{}, with no {} between the two{}: {}",
              act_on(kind), addresses[lane], describe_thread(thread_of(by, other.lane)), what,
              at_line(there),
              missing_order(warp, within_warp, other.use->warp_epoch != warp_epochs_[warp.index]),
              remedy_at(there, here, changes || other.use->changes),
              warp.launch->memory->describe(addresses[lane]));
        });
  });
}

// What warps of the block tell each other by words of global memory.
void Checker::hand_over_globally(const Warp& warp, const Inst& inst, std::uint32_t mask,
                                 const std::uint64_t* addresses, AccessKind kind) {
  const OrderRole role = role_among_warps(warp, inst);
  if (role.releases) fence_between_warps(warp, mask);
  if (!role.strong) return;
  for_each_lane(mask, [&](std::uint32_t lane) {
    const std::uint64_t word = addresses[lane] / 4;  // beyond all offsets of shared memory
    if (role.acquires) hand_over_->hear(in_cluster(warp.index), 1u << lane, word);
    if (!is_load(kind)) hand_over_->tell(in_cluster(warp.index), word, kind != AccessKind::store);
  });
}

void Checker::fence_between_blocks(const Warp& warp) {
  if (order_ != nullptr) order_->fence(who(warp, 0), warp.mask);
  fence_between_warps(warp, warp.mask);
}

// In this simulation one block comes before the other; on a GPU nobody knows.
void Checker::look_for_other_blocks(Warp& warp, const Inst& inst, const std::uint64_t* addresses,
                                    std::uint32_t lanes, ByteRange range, AccessKind kind) {
  using Use = UsesByBlock::Use;
  const LaunchState& launch = *warp.launch;
  const auto other = conflict_of_blocks(warp, inst, number_, range, kind);
  if (!other) return;
  const std::uint64_t address = std::max(range.begin, launch.memory->arena() + other->offset);
  std::uint32_t lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  for_each_lane(lanes, [&](std::uint32_t l) { lane = addresses[l] <= address ? l : lane; });
  const bool known = other->block && launch.cluster.count() == 1;
  const auto who = [&] {
    return known ? name_of_block(launch, *other->block) : std::string("other blocks");
  };
  if (kind == AccessKind::block_atomic)
    return note_finding(warp, inst, FindingKind::block_race, lane,
                        [&] { return atomic_of_the_block(warp, address, who()); });
  note_finding(warp, inst, FindingKind::block_race, lane, [&] {
    const bool is_sum = other->use == Use::added ||
                        (!is_load(kind) && other->use == Use::read && kind != AccessKind::store);
    return fmt::format(
        "{} global memory at {:#x} that {} {} in the same launch, and nothing "
        "says which comes first: blocks run in any order. {}: {}",
        act_on(kind), address, who(),
        other->use == Use::read     ? "read"
        : other->use == Use::stored ? "wrote"
        : other->use == Use::added  ? "added to by atomic operations"
                                    : "changed by atomic operations",
        order_of_blocks(*launch.program, is_sum), launch.memory->describe(address));
  });
}

// Where one block comes before the other here, on a GPU it may be otherwise.
void Checker::look_for_order(Warp& warp, const Inst& inst, std::uint32_t lanes,
                             const std::uint64_t* addresses, std::uint32_t bytes, AccessKind kind) {
  const LaunchState& launch = *warp.launch;
  const OrderRole role = role_among_blocks(warp, inst);
  for_each_lane(lanes, [&](std::uint32_t lane) {
    const std::uint64_t offset = addresses[lane] - launch.memory->arena();
    const BlockOrder::Who now = who(warp, lane);
    std::optional<BlockOrder::Conflict> other;
    if (kind == AccessKind::atomic) {
      other = order_->change(now, offset, bytes, role);
    } else {
      if (kind != AccessKind::store) other = order_->load(now, offset, bytes, role);
      if (const bool stores = !is_load(kind); stores && !other)
        other = order_->store(now, offset, bytes, role);
    }
    if (!other) return;
    const std::uint64_t address = launch.memory->arena() + other->offset;
    if (kind == AccessKind::block_atomic)
      return note_finding(warp, inst, FindingKind::block_race, lane, [&] {
        return atomic_of_the_block(warp, address, name_of_block(launch, other->block));
      });
    if (other->was_update) {
      note_finding(warp, inst, FindingKind::block_race, lane, [&] {
        return fmt::format(
            "write to global memory at {:#x} that {} read, and wrote, too, in the same launch, "
            "with nothing that keeps the one behind the other: both may read the same, and what "
            "one of them wrote is lost. An atomic operation (atomicAdd()) reads and writes at "
            "once; "
            "volatile or relaxed accesses do not: {}",
            address, name_of_block(launch, other->block), launch.memory->describe(address));
      });
      return;
    }
    note_finding(warp, inst, FindingKind::block_race, lane, [&] {
      return fmt::format(
          "{} global memory at {:#x} that {} {} in the same launch, and nothing puts the one "
          "before the other: between what a block did and the atomic operation or the flag that "
          "tells of it, a __threadfence() has to lie, of each thread that did it, or of one "
          "behind a __syncthreads(); and others have to look at that word first: {}",
          act_on(kind), address, name_of_block(launch, other->block),
          other->was_store    ? "wrote"
          : other->was_change ? "changed by an atomic operation"
                              : "read",
          launch.memory->describe(address));
    });
  });
}

void Checker::make_mbarrier(const Warp& warp, const Inst& inst, std::uint32_t lane,
                            const void* barrier) {
  hand_over_->make(barrier);
  if (blocks_ > 1) return;
  Access& made = made_[barrier] = access_by(warp, inst, AccessKind::store);
  made.thread = static_cast<std::uint16_t>(warp.index * lane_count + lane);
}

void Checker::use_mbarrier(Warp& warp, const Inst& inst, std::uint32_t lane,
                           const std::byte* barrier) {
  const auto made = made_.find(barrier);
  if (made == made_.end()) return;
  Access now = access_by(warp, inst, AccessKind::atomic);
  now.thread = static_cast<std::uint16_t>(warp.index * lane_count + lane);
  if (races(made->second, now))
    report_race(warp, static_cast<std::uint64_t>(barrier - warp.shared), made->second, now);
}

void Checker::arrive_at_mbarrier(const Warp& warp, std::uint32_t lanes, const void* barrier,
                                 bool relaxed) {
  hand_over_->arrive_at(barrier, warp.checker->in_cluster(warp.index), lanes, relaxed);
}

void Checker::end_phase(const void* barrier) {
  hand_over_->end_phase(barrier);
  some_met();
  bulk_.end_phase(barrier);
}

void Checker::wait_for_phase(const Warp& warp, std::uint32_t lanes, const void* barrier) {
  hand_over_->pass_phase(barrier, in_cluster(warp.index), lanes);
  bulk_.wait(barrier, {warp.index, lanes, past_of(warp.index, 0).time, warp_epochs_[warp.index]});
}

}  // namespace klab::sim
