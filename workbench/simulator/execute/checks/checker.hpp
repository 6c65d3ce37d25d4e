// The full checks: reads of uninitialized memory and shared-memory races. Absent when checks are
// fast.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simulator/execute/async_copies.hpp"
#include "simulator/execute/checks/block_order.hpp"
#include "simulator/execute/checks/bulk/bulk_copies.hpp"
#include "simulator/execute/checks/bulk/proxy_fences.hpp"
#include "simulator/execute/checks/hand_over.hpp"
#include "simulator/execute/checks/reads_by_warp.hpp"
#include "simulator/execute/checks/recent_uses.hpp"
#include "simulator/execute/checks/shared_uses.hpp"
#include "simulator/execute/lane_barriers.hpp"
#include "simulator/execute/warp.hpp"
#include "simulator/memory/touched_memory.hpp"
#include "simulator/memory/uses_by_line.hpp"

namespace klab::sim {

// What would put two accesses in order, by how they are told. `have_met`: the warp's lanes came
// together in between.
const char* missing_barrier(bool within_warp, bool have_met);
// Where both accesses stand on one line, it may be that all threads change one value; not so where
// one of them is `atomic`.
const char* remedy_at(const SourceLocation& one, const SourceLocation& other, bool atomic = false);

// Watches the accesses of one block at a time. For every unit of shared memory (the smallest access
// of the kernel) it remembers the last store, atomic operations and reads. Two accesses of
// different threads, at least one of them a write, are a race unless a block barrier lies between
// them or, within one warp, a barrier of the warp; a write behind a read, any warp-synchronous
// instruction. Atomic operations don't race with each other, nor lanes of one instruction with
// themselves.
class Checker {
 public:
  // `blocks`: of a cluster, with whose others it follows what they tell each other.
  Checker(std::uint32_t shared_bytes, std::uint32_t threads, std::uint32_t blocks,
          const Program& program);
  // In front of its block: of this rank in the cluster whose first block that is.
  void join_cluster(Checker& first, std::uint32_t rank) {
    hand_over_ = &first.of_cluster_;
    rank_ = rank;
    first_warp_ = rank * static_cast<std::uint32_t>(warp_epochs_.size());
  }

  // `touched` and `uses` take down what global memory the block uses; null: nobody asks. `number`:
  // of the block, or its cluster, in the launch. `order`: of the launch's blocks, if they may be in
  // one. `watches_threads`: whether these are seen to hand over through global memory.
  void begin_block(TouchedMemory* touched, KernelUses* uses, std::uint64_t number,
                   BlockOrder* order, bool watches_threads) {
    touched_ = touched;
    uses_ = uses;
    waited_.assign(warp_epochs_.size(), false);
    any_waited_ = any_let_begin_ = false;
    number_ = number;
    order_ = order;
    watches_threads_ = watches_threads;
    last_used_.reset();
    any_foreign_ = false;
    told_.clear();
    noted_.clear();
    if (orders_warps_ && rank_ == 0) hand_over_->forget_all();
    if (!copies_.empty()) copies_.forget_all();
    bulk_.forget_all();
    fences_.forget_all();
    block_barrier();
    block_epoch_ = cluster_epoch_ = epoch_;
  }
  // Whether an error of that kind at a place (of Program::locations) is the block's first.
  bool is_first(std::uint32_t place, FindingKind kind) {
    const std::uint64_t what = std::uint64_t{place} << 8 | static_cast<std::uint8_t>(kind);
    if (std::find(noted_.begin(), noted_.end(), what) != noted_.end()) return false;
    noted_.push_back(what);
    return true;
  }

  // A block barrier that all threads of the block passed.
  void block_barrier();
  // A warp's lanes came together (bar.warp.sync and other .sync instructions).
  void warp_met(std::uint32_t warp, std::uint32_t lanes) {
    lane_barriers_.go(warp, lanes);
    ++warp_epochs_[warp];
    readers_of_warp_[warp] = new_readers();
    if (orders_warps_) hand_over_->meet(in_cluster(warp));
  }
  // A branch that splits the lanes: these take one way.
  void warp_parts(std::uint32_t warp, std::uint32_t lanes) { lane_barriers_.go(warp, lanes); }
  std::uint32_t together_with(std::uint32_t warp, std::uint32_t lane, std::uint32_t lanes) const {
    return lane_barriers_.together_with(warp, lane, lanes);
  }
  // At bar.warp.sync, with the lanes that each of them names: of all .sync instructions the one
  // that orders memory.
  void warp_barrier(std::uint32_t warp, std::uint32_t lanes, const std::uint32_t* members) {
    lane_barriers_.pass(warp, lanes, members, warp_epochs_[warp]);
  }
  // They gave what they had read to a product, which takes it from all of them: a write behind it
  // may take its place. It orders no other memory.
  void gave_to_product(std::uint32_t warp) {
    ++warp_epochs_[warp];
    readers_of_warp_[warp] = new_readers();
    read_together(warp);
  }
  // They read together what a matrix instruction takes: each has, before any of them goes on.
  void read_together(std::uint32_t warp) {
    if (orders_warps_) hand_over_->meet(in_cluster(warp));
  }

  // What lies there does not matter: an exchange writes, and nobody asks for what it found.
  void overwrite(std::uint64_t offset, std::uint32_t bytes);
  // Another block of the cluster wrote to, or changed, shared memory of this one: it is written,
  // and who of this block races with that is not looked at.
  void written_from_elsewhere(std::uint64_t offset, std::uint32_t bytes);
  // Another block of the cluster used shared memory of this one, between the cluster's barriers of
  // these numbers; before this one ends, there must be one more.
  void used_from_elsewhere(const Warp& by, const Inst& inst, std::uint32_t lane, AccessKind kind,
                           std::uint64_t barriers_passed);
  // An arrival at an mbarrier, or bytes that it counts, is no use of what lies there.
  static bool is_arrival(const Warp& by, const Inst& inst, AccessKind kind);
  // A lane of another block, or of this one by an address of the cluster's, may hand over by a word
  // of its memory.
  void hand_over_by(const Warp& by, const Inst& inst, std::uint32_t lane, std::uint64_t offset,
                    AccessKind kind);
  // The same of its bytes: by a lane of that block's warp, with no barrier of the cluster since
  // this block used them.
  void use_from_elsewhere(Warp& by, const Inst& inst, std::uint32_t lane, std::uint64_t offset,
                          std::uint32_t bytes, AccessKind kind);
  // Of lanes that read at addresses of the cluster's, all of this block's memory.
  void loads_from_elsewhere(Warp& by, const Inst& inst, std::uint32_t mask,
                            const std::uint64_t* addresses, std::uint32_t bytes);
  // A barrier of the cluster that orders memory.
  void cluster_barrier() {
    block_barrier();
    cluster_epoch_ = epoch_;
    any_foreign_ = false;
  }
  // The place of that use, if no barrier came behind it and nobody was told that it is over.
  std::optional<std::uint32_t> still_used(std::uint64_t barriers_passed) const;

  // The warp waited for the kernel in front (griddepcontrol.wait); with the next barrier all who
  // meet there have.
  void wait_for_kernel(const Warp& warp);
  // Its part of what lets the kernel behind begin (griddepcontrol.launch_dependents).
  void let_kernel_begin(const Warp& warp);
  bool any_waited() const { return any_waited_; }
  void all_have_waited() {
    any_waited_ = true;
    waited_.assign(waited_.size(), true);
  }

  // Copies that go on behind the instruction: nobody may touch their target before the thread that
  // asked for them has waited. They count as its writes when it has. Several to one place may bring
  // the same: cooperative groups let lanes that are left over do so.
  void begin_copy(Warp& warp, const Inst& inst, std::uint32_t lane, const std::uint64_t* offsets,
                  std::uint32_t bytes);
  void commit_copies(const Warp& warp);
  // `groups_left`: how many groups may still be under way; absent: no copy at all.
  void wait_for_copies(const Warp& warp, std::optional<std::uint64_t> groups_left);
  // Those of a lane that it has not waited for are there when the mbarrier's phase is over.
  void leave_copies_to(const Warp& warp, std::uint32_t lane, const void* barrier);

  // Bulk copies (cp.async.bulk) go on behind their instruction, too, and go past the path by which
  // threads reach memory. One that reads shared memory, and is then taken to global memory in a
  // group of its thread; one that writes there, and an mbarrier that lies at `barrier` tells when.
  void bulk_read(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint64_t offset,
                 std::uint32_t bytes);
  void take_bulk(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint64_t offset,
                 std::uint64_t target, std::uint32_t bytes, bool is_reduction);
  void bulk_write(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint64_t offset,
                  std::uint32_t bytes);
  void bring_bulk(std::uint32_t location, std::uint64_t offset, std::uint32_t bytes,
                  const void* barrier);

  // An mbarrier of this block: made, used, arrived at (by a warp of any block of the cluster), its
  // phase over, and waited for by lanes of a warp. Only behind a barrier do others know that it was
  // made; between the blocks of a cluster that is not looked at.
  void make_mbarrier(const Warp& warp, const Inst& inst, std::uint32_t lane, const void* barrier);
  void use_mbarrier(Warp& warp, const Inst& inst, std::uint32_t lane, const std::byte* barrier);
  void arrive_at_mbarrier(const Warp& warp, std::uint32_t lanes, const void* barrier, bool relaxed);
  void end_phase(const void* barrier);
  void wait_for_phase(const Warp& warp, std::uint32_t lanes, const void* barrier);
  void commit_bulk(const Warp& warp);
  // `only_read`: until the sources have been read, not until the targets are written.
  void wait_for_bulk(const Warp& warp, std::uint64_t groups_left, bool only_read);
  // What threads wrote before, bulk copies behind it see (fence.proxy.async).
  void fence_from_copies(const Warp& warp);
  // What threads wrote before, other blocks see that are told behind it (__threadfence()), or other
  // warps (__threadfence_block()).
  void fence_between_blocks(const Warp& warp);
  void fence_between_warps(const Warp& warp, std::uint32_t lanes);
  // A barrier of a number of threads, less than all: of those who come there, and no other.
  void arrive_at_part(const Warp& warp, std::uint32_t barrier);
  void open_part(std::uint32_t barrier) {
    hand_over_->open(part_of(barrier));
    some_met();
  }
  // Some threads of the block met: for the copies that go on behind their instruction, and for what
  // other blocks are told, that is a barrier of all.
  void some_met();
  void pass_part(const Warp& warp, std::uint32_t barrier);
  // The last thread has ended; the warp is its own.
  void end_block(Warp& warp);

  // Accesses of `bytes` each by the lanes of a mask. Shared ones outside the block's own memory are
  // left to the caller; global ones must have been found valid.
  void shared_access(Warp& warp, const Inst& inst, std::uint32_t mask, const std::uint64_t* offsets,
                     std::uint32_t bytes, AccessKind kind, const StoredValues* stored = nullptr);
  void global_access(Warp& warp, const Inst& inst, std::uint32_t mask,
                     const std::uint64_t* addresses, std::uint32_t bytes, AccessKind kind);
  // A load or store of neighbouring bytes; false, and nothing noted, where some are uninitialized.
  bool global_range(Warp& warp, const Inst& inst, std::uint64_t address, std::uint64_t bytes,
                    AccessKind kind);

 private:
  using Access = SharedAccess;
  // Numbers of warps, and of their barriers, in the cluster.
  std::uint32_t in_cluster(std::uint32_t warp) const { return first_warp_ + warp; }
  std::uint32_t part_of(std::uint32_t barrier) const {
    return rank_ * HandOver::barriers + barrier;
  }
  // Of shared memory; those of global memory are addresses.
  std::uint64_t word_at(std::uint64_t offset) const {
    return std::uint64_t{rank_} << 56 | offset / 4;
  }
  HandOver::Past past_of(std::uint32_t warp, std::uint32_t lane) const {
    return {in_cluster(warp), 1u << lane, orders_warps_ ? hand_over_->now(in_cluster(warp)) : 0};
  }
  bool is_told(std::uint32_t warp, std::uint32_t lane, const HandOver::Past& past) const {
    return orders_warps_ && hand_over_->knows(in_cluster(warp), lane, past);
  }
  // By a lane of the warp; which one, the caller says.
  Access access_by(const Warp& warp, const Inst& inst, AccessKind kind) const;
  // An address of the cluster's may be one of this block.
  std::uint64_t own_offset(std::uint64_t offset) const {
    const std::uint64_t own = std::uint64_t{rank_ + 1} << cluster_rank_shift;
    return offset >> cluster_rank_shift == rank_ + 1 ? offset - own : offset;
  }
  // Whether two lanes of a warp have come together since the epoch of an access by the first: at a
  // barrier, where it stored what the second one reads. Other .sync instructions order no memory;
  // but what a lane had read by then may be what it gave the others.
  bool met_since(std::uint32_t epoch, std::uint32_t warp, std::uint32_t first, std::uint32_t second,
                 bool reads_back) const {
    return epoch < (reads_back ? lane_barriers_.last(warp, first, second) : warp_epochs_[warp]);
  }
  bool races(const Access& earlier, const Access& now) const;
  // The read of another warp that the write has no place behind.
  std::optional<Access> unordered_read(std::size_t unit, const Access& now) const;
  // False when the unit drew a finding.
  bool check_unit(Warp& warp, const Inst& inst, std::uint64_t offset, std::size_t unit,
                  const Access& now);
  void remember_read(std::size_t unit, const Access& now);
  // Of a unit's stores, and of its last two atomic operations, whether any is as asked.
  template <class Is>
  bool any_write(std::size_t unit, Is&& is) const {
    if (is(units_[unit].write)) return true;
    return !unit_changes_.empty() &&
           (is(unit_changes_[unit].last) || is(unit_changes_[unit].earlier));
  }
  bool is_gap(CopyRole copy, std::uint64_t offset) const;
  // By the block, and before the last barrier.
  bool written_before(std::size_t unit) const {
    return written_[unit] >= block_epoch_ && written_[unit] < barrier_epoch_;
  }
  std::uint32_t new_readers();
  bool is_settled(std::size_t unit, std::uint32_t warp) const {
    return settled_[unit] == readers_of_two_ || settled_[unit] == readers_of_warp_[warp];
  }
  void read_units(Warp& warp, const Inst& inst, const std::uint64_t* offsets, Access now);
  bool is_behind_write(std::size_t unit, std::uint32_t warp, std::uint32_t lanes) const;
  bool read_as_one(std::uint32_t warp, std::uint32_t lanes, std::uint64_t offset,
                   std::uint32_t bytes, Access now);
  std::uint32_t read_runs(const Warp& warp, std::uint32_t mask, const std::uint64_t* offsets,
                          std::uint32_t bytes, const Access& now);
  // Lanes of one instruction that store different values to one place, at which somebody then
  // looks.
  void look_for_contests(Warp& warp, const Inst& inst, std::uint32_t mask,
                         const std::uint64_t* offsets, std::uint32_t bytes);
  void report_contest(Warp& warp, const Inst& inst, std::uint64_t offset, std::uint32_t lane,
                      const Access& store);
  void report_race(Warp& warp, std::uint64_t offset, const Access& earlier, const Access& now);

  void note_access(Warp& warp, const Inst& inst, std::uint32_t mask, const std::uint64_t* offsets,
                   std::uint32_t bytes, AccessKind kind);
  void note_ended(const Warp& warp, std::uint32_t lane,
                  const std::vector<AsyncCopies::Copy>& ended);
  void look_for_copies(Warp& warp, const Inst& inst, std::uint32_t mask,
                       const std::uint64_t* offsets, std::uint32_t bytes, AccessKind kind);
  void look_for_bulk(Warp& warp, const Inst& inst, std::uint32_t mask, const std::uint64_t* offsets,
                     std::uint32_t bytes, AccessKind kind);
  bool is_there(BulkCopies::Incoming& copy, const Warp& warp, std::uint32_t lane) const;
  void look_for_bulk_reads(Warp& warp, const Inst& inst, std::uint32_t mask,
                           const std::uint64_t* offsets, std::uint32_t bytes);
  void look_for_bulk_targets(Warp& warp, const Inst& inst, std::uint32_t lanes,
                             const std::uint64_t* addresses, std::uint32_t bytes, AccessKind kind);
  void look_for_fences(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint64_t offset,
                       std::uint32_t bytes);
  std::uint32_t instant_of(const Warp& warp) const {
    return static_cast<std::uint32_t>(warp.clock) + fences_.count(warp.index);
  }
  Moment moment_of(const Warp& warp, std::uint32_t lane) const;
  void look_for_stale(Warp& warp, const Inst& inst, std::uint32_t lanes,
                      const std::uint64_t* addresses, std::uint32_t bytes);

  void note_line(const Warp& warp, const Inst& inst, ByteRange range, AccessKind kind);
  void look_for_other_blocks(Warp& warp, const Inst& inst, const std::uint64_t* addresses,
                             std::uint32_t lanes, ByteRange range, AccessKind kind);

  // Threads of one block that use what others of it stored, or store what others read.
  // `reads_back`: what the other stored.
  bool is_unordered(const Warp& warp, std::uint32_t lane, const RecentUses::Found& other,
                    bool reads_back) const;
  using RecentUse = std::pair<RecentUses::Found, const char*>;  // and what it did there
  RecentUse conflicting_use(const Warp& warp, const Inst& inst, std::uint32_t lane,
                            std::uint64_t address, std::uint32_t bytes, AccessKind kind);
  void look_for_recent(Warp& warp, const Inst& inst, std::uint32_t lanes,
                       const std::uint64_t* addresses, std::uint32_t bytes, AccessKind kind);
  void remember_use(const Warp& warp, const Inst& inst, std::uint32_t mask,
                    const std::uint64_t* addresses, std::uint32_t bytes, AccessKind kind);
  // What may race with such an access; null: nothing.
  std::array<RecentUses*, 2> uses_against(const Warp& warp, const Inst& inst, AccessKind kind);
  void forget_uses_of(std::uint32_t warp);

  void hand_over_globally(const Warp& warp, const Inst& inst, std::uint32_t mask,
                          const std::uint64_t* addresses, AccessKind kind);
  void look_for_order(Warp& warp, const Inst& inst, std::uint32_t lanes,
                      const std::uint64_t* addresses, std::uint32_t bytes, AccessKind kind);
  BlockOrder::Who who(const Warp& warp, std::uint32_t lane) const {
    return {static_cast<std::uint32_t>(number_), epoch_, warp_epochs_[warp.index],
            static_cast<std::uint16_t>(warp.index * lane_count + lane)};
  }

  void look_for_foreign(Warp& warp, const Inst& inst, std::uint32_t mask,
                        const std::uint64_t* offsets, std::uint32_t bytes, AccessKind kind);

  struct LastForeignUse {
    std::uint32_t location = 0;
    std::uint64_t barriers_passed = 0;
    HandOver::Past past;
  };
  std::optional<LastForeignUse> last_used_;
  struct ForeignUse {
    std::uint32_t epoch = 0;  // of the block whose memory it is
    std::uint32_t rank = 0;   // of the one that used it, and how it marks that
    Access access;
    HandOver::Past past;
  };
  struct ForeignUses {
    ForeignUse read, earlier_read, write;  // the two reads are of different warps
  };
  bool races_abroad(const ForeignUse& earlier, const ForeignUse& now, const Warp& by) const;
  bool races_at_home(const Access& own, const ForeignUse& now, const Warp& by) const;
  // By an instruction of the warp; which lanes, note_foreign() is told.
  ForeignUse foreign_use(const Warp& by, const Inst& inst, AccessKind kind);
  void note_foreign(Warp& by, const Inst& inst, ForeignUse now, std::uint32_t lanes,
                    std::uint64_t offset, std::uint32_t bytes);
  std::vector<ForeignUses> foreign_;  // by unit; empty where there was none
  bool any_foreign_ = false;          // since the cluster's last barrier
  std::uint32_t cluster_epoch_ = 1;   // which began with that

  const StoredValues* stored_ = nullptr;  // by the access that is looked at
  TouchedMemory* touched_ = nullptr;
  KernelUses* uses_ = nullptr;
  std::vector<bool> waited_;  // by warp
  bool any_waited_ = false, any_let_begin_ = false;
  std::uint64_t number_ = 0;
  BlockOrder* order_ = nullptr;
  std::uint32_t unit_bytes_;
  // One ends at each barrier, and where some meet; since the block began, and its last barrier.
  std::uint32_t epoch_ = 1, block_epoch_ = 1, barrier_epoch_ = 1;
  std::vector<std::uint32_t> warp_epochs_;
  LaneBarriers lane_barriers_;
  std::vector<SharedUnit> units_;
  std::vector<SharedChanges> unit_changes_;  // of kernels with atomic operations on shared memory
  // By unit: the epoch of its last write, and the readers after which no further read need be
  // remembered, because any write races with one of them: those of two warps in an epoch, or two
  // lanes of a warp since it last came together. A write in that epoch makes it 0 for the rest.
  std::vector<std::uint32_t> written_;
  std::vector<std::uint32_t> settled_;
  // What stands for such readers, never given out twice: those of two warps, and those of each.
  std::uint32_t last_readers_ = 0, readers_of_two_ = 0;
  std::vector<std::uint32_t> readers_of_warp_;
  // Pairs of places whose race this block was found in: there may be one for every access.
  std::vector<std::uint64_t> told_;
  std::vector<std::uint64_t> noted_;  // see is_first()
  bool orders_warps_;
  HandOver of_cluster_;  // kept by the first block
  HandOver* hand_over_ = &of_cluster_;
  std::uint32_t rank_ = 0, first_warp_ = 0, blocks_;
  ReadsByWarp reads_;                             // of kernels with an mbarrier
  std::unordered_map<const void*, Access> made_;  // mbarriers, since the last barrier
  AsyncCopies copies_;
  BulkCopies bulk_;
  ProxyFences fences_;
  bool watches_threads_ = true;
  bool any_hears_;  // some instruction may be waiting for what others tell
  RecentUses stores_, loads_, changes_;
  std::uint32_t unit_shift_;  // 1 << unit_shift_ is unit_bytes_
};

// An atomic operation of the block's scope on shared memory of another block.
void note_block_scope_abroad(Warp& warp, const Inst& inst, std::uint32_t lane);

}  // namespace klab::sim
