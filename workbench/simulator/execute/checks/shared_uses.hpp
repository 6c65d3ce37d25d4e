// What is remembered of each unit of shared memory.
#pragma once
#include <cstdint>

#include "simulator/execute/warp.hpp"

namespace klab::sim {

struct SharedAccess {
  std::uint32_t epoch = 0;       // of the block; 0: no access yet
  std::uint32_t warp_epoch = 0;  // of the accessing thread's warp
  std::uint32_t location = 0;
  std::uint32_t instant = 0;  // see Moment: equal for the lanes of one instruction
  std::uint16_t thread = 0;
  AccessKind kind = AccessKind::load;
  bool by_copy : 1 = false;    // a bulk copy, not the thread itself
  bool contested : 1 = false;  // a store at which lanes of one instruction differ
  bool strong : 1 = false;     // volatile, ordered or atomic, where warps hand over
  std::uint32_t time = 0;      // of its warp; see HandOver
  std::uint32_t warp() const { return thread / lane_count; }
};
static_assert(sizeof(SharedAccess) == 24);  // there are several for each word

// `write`: the last store. The two reads are of different threads.
struct SharedUnit {
  SharedAccess write, read, earlier_read;
};

// The last atomic operations, of two warps if there are such, or else of two threads. They race
// with no other of their kind, so what a thread did there besides must not be forgotten for them.
struct SharedChanges {
  SharedAccess last, earlier;
  // Two warps since the same barrier: whatever else is no atomic operation races with one of them.
  bool are_settled(std::uint32_t epoch) const {
    return last.epoch == epoch && earlier.epoch == epoch && last.warp() != earlier.warp();
  }
  void remember(const SharedAccess& now) {
    const bool earlier_tells_more =
        earlier.epoch == now.epoch && last.warp() == now.warp() && earlier.warp() != now.warp();
    if (last.thread != now.thread && !earlier_tells_more) earlier = last;
    last = now;
  }
};

// What lanes store. Whether one leaves the bytes at an offset as they are: threads that store the
// same where others have stored it ("found = true") do no harm. Whether two lanes store the same,
// or each its own number, as where any of them may win.
struct StoredValues {
  bool (*changes_nothing)(Warp&, const Inst&, std::uint32_t lane, std::uint64_t offset);
  bool (*alike)(Warp&, const Inst&, std::uint32_t one, std::uint32_t other);
};

}  // namespace klab::sim
