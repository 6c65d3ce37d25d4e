// The full checks: reads of uninitialized memory and shared-memory races. Absent when checks are
// fast.
#pragma once
#include <cstdint>
#include <vector>

#include "simulator/warp.hpp"

namespace klab::sim {

// Watches the accesses of one block at a time. For every byte of shared memory it remembers the
// last write and the last reads. Two accesses of different threads, at least one of them a write,
// are a race unless a block barrier lies between them or, within one warp, a warp-synchronous
// instruction. Atomic operations don't race with each other, nor lanes of one instruction with
// themselves.
class Checker {
 public:
  void begin_block(std::uint32_t shared_bytes, std::uint32_t threads);
  // A block barrier that all threads of the block passed.
  void block_barrier() { ++epoch_; }
  // A warp's lanes came together (bar.warp.sync and other .sync instructions).
  void warp_barrier(std::uint32_t warp) { ++warp_epochs_[warp]; }

  void shared_access(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint64_t offset,
                     std::uint32_t bytes, AccessKind kind);
  void global_access(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint64_t address,
                     std::uint32_t bytes, AccessKind kind);

 private:
  struct Access {
    std::uint32_t epoch = 0;       // of the block; 0: no access yet
    std::uint32_t warp_epoch = 0;  // of the accessing thread's warp
    std::uint32_t thread = 0;
    std::uint32_t location = 0;
    std::uint64_t instant = 0;  // clock of the warp: equal for the lanes of one instruction
    AccessKind kind = AccessKind::load;
  };
  struct Byte {
    Access write, read, earlier_read;  // the two reads are of different threads
    bool written = false;              // ever, in this block
  };
  bool races(const Access& earlier, const Access& now) const;
  void report_race(Warp& warp, std::uint32_t lane, std::uint64_t offset, const Access& earlier,
                   const Access& now);

  std::uint32_t epoch_ = 1;
  std::vector<std::uint32_t> warp_epochs_;
  std::vector<Byte> bytes_;
};

}  // namespace klab::sim
