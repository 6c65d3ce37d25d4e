// The full checks: reads of uninitialized memory and shared-memory races. Absent when checks are
// fast.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/warp.hpp"

namespace klab::sim {

// Watches the accesses of one block at a time. For every byte of shared memory it remembers the
// last write and the last reads since the block's last barrier; two accesses of different threads,
// one of them a write, with no barrier (or warp barrier, inside a warp) between them are a race.
class Checker {
 public:
  void begin_block(std::uint32_t shared_bytes, std::uint32_t threads);
  // A block barrier that all threads of the block passed.
  void block_barrier();
  // A warp's lanes came together (bar.warp.sync and other .sync instructions).
  void warp_barrier(std::uint32_t warp, std::uint32_t lanes);

  void shared_access(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint32_t offset,
                     std::uint32_t bytes, AccessKind kind);
  void global_access(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint64_t address,
                     std::uint32_t bytes, AccessKind kind);

 private:
  struct Access {
    std::uint32_t epoch = 0;       // of the block; 0: none
    std::uint32_t warp_epoch = 0;  // of the accessing thread's warp
    std::uint32_t thread = 0;
    std::uint32_t location = 0;
  };
  struct Byte {
    Access write;
    Access read;           // the last
    Access other_read;     // the last of another thread than `read`
    bool written = false;  // ever, in this block
  };
  bool ordered(const Access& earlier, std::uint32_t thread) const;
  void report_race(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint32_t offset,
                   AccessKind kind, const Access& earlier, bool earlier_writes);

  std::uint32_t epoch_ = 1;
  std::vector<std::uint32_t> warp_epoch_;
  std::vector<Byte> bytes_;
};

}  // namespace klab::sim
