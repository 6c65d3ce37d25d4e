// Bulk copies from and to the shared memory of one block (cp.async.bulk) that may be under way.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace klab::sim {

// The simulator carries each out at once, so only this tells that on a GPU it could still go on.
// Places are units of shared memory, as the checker counts them; epochs are the checker's.
class BulkCopies {
 public:
  // Lanes of a warp that saw the end of a phase, at times of theirs; see HandOver.
  struct Wait {
    std::uint32_t warp = 0, lanes = 0;
    std::uint32_t time = 0, warp_epoch = 0;  // of the first of them
  };
  // Into shared memory: it is there when a phase of an mbarrier is over. The lanes that have waited
  // for that phase may use it, who is told by them, and all behind the next barrier. So it is with
  // what threads copy one by one (cp.async) once they have left it to an mbarrier.
  struct Incoming {
    std::uint32_t first = 0, units = 0;
    std::uint32_t location = 0;               // of the instruction, in Program::locations
    const void* barrier = nullptr;            // where the mbarrier lies
    std::uint32_t by_warp = 0, by_lanes = 0;  // that copy one by one; no lanes: a bulk copy
    bool landed = false;                      // that phase is over
    std::vector<Wait> waits;                  // one for each warp
    std::uint32_t seen_by = 0;                // warps all of whose lanes may use it, a bit for each
  };
  // Out of shared memory: the thread that asks for it forms groups and waits for these, until the
  // source has been read or until the target has been written.
  struct Outgoing {
    std::uint32_t first = 0, units = 0;
    std::uint64_t begin = 0, end = 0;  // in global memory
    std::uint32_t location = 0;
    std::uint32_t thread = 0;
    std::uint64_t group = 0;
    bool is_reduction = false;
    bool was_read = false;
  };

  explicit BulkCopies(std::uint32_t threads) : committed_(threads) {}

  bool any() const { return any_incoming() || any_outgoing(); }
  bool any_incoming() const { return !incoming_.empty(); }
  bool any_outgoing() const { return !outgoing_.empty(); }
  void forget_all();

  // What lies beside what other lanes of the warp bring by the same instruction is one with it.
  void bring(Incoming copy);
  // These lanes have waited for all their own copies, whoever else has to.
  void wait_for_own(std::uint32_t warp, std::uint32_t lanes);
  void end_phase(const void* barrier);
  void wait(const void* barrier, const Wait& wait);
  // A barrier of all: what some have waited for is there for everybody.
  void forget_awaited();

  void take(Outgoing copy);
  void commit(std::uint32_t thread) { ++committed_[thread]; }
  // The thread waits for all but its `left` youngest groups. Returns those whose source counts as
  // read from now on.
  std::vector<Outgoing> wait_for_groups(std::uint32_t thread, std::uint64_t left, bool only_read);

  // Whether one may still write to some of these units, as far as all of a warp know.
  bool may_write(std::uint32_t first, std::uint32_t last, std::uint32_t warp) const;
  // The youngest that writes to a unit, of those that `is_seen` does not say to be there. The
  // others are those that may still read a unit, write to some of [begin, end), or read at all.
  template <class IsSeen>
  const Incoming* copy_to(std::uint32_t unit, IsSeen is_seen) {
    for (auto copy = incoming_.rbegin(); copy != incoming_.rend(); ++copy)
      if (copy->first <= unit && unit - copy->first < copy->units && !is_seen(*copy)) return &*copy;
    return nullptr;
  }
  std::optional<Outgoing> copy_from(std::uint32_t unit) const;
  std::optional<Outgoing> copy_onto(std::uint64_t begin, std::uint64_t end) const;
  std::optional<Outgoing> unread() const;

 private:
  std::vector<Incoming> incoming_;
  std::vector<Outgoing> outgoing_;
  std::vector<std::uint64_t> committed_;  // groups, by thread
};

}  // namespace klab::sim
