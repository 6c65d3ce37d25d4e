// What warps of one block, or of a cluster, tell each other without a barrier of all: by words of
// memory, by mbarriers, and by barriers of some of them.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace klab::sim {

// A vector clock for each warp (Mattern, "Virtual Time and Global States", 1989). What a lane tells
// covers its own accesses, and those of the other lanes up to where the warp last came together;
// what a lane hears the others know as the warp comes together again.
class HandOver {
 public:
  // `warps`: of the block, or of all of a cluster's `blocks`; none where nobody asks.
  explicit HandOver(std::uint32_t warps, std::uint32_t blocks = 1);

  void forget_all();
  // What a warp's accesses are marked with.
  std::uint32_t now(std::uint32_t warp) const { return time_[warp]; }

  // Accesses of lanes of a warp, all at one time.
  struct Past {
    std::uint32_t warp = 0, lanes = 0, time = 0;
  };
  // Whether a lane may rely on them: of its own warp on what that one told of and heard itself.
  bool knows(std::uint32_t warp, std::uint32_t lane, const Past& past) const {
    return all_know(warp, 1u << lane, past);
  }
  bool all_know(std::uint32_t warp, std::uint32_t lanes, const Past& past) const;

  // Whether any lane of these warps may.
  bool any_knows(std::uint32_t first_warp, std::uint32_t warps, const Past& past) const;

  // The warp's lanes come together, or so many warps.
  void meet(std::uint32_t warp);
  void meet(std::uint32_t first_warp, std::uint32_t warps);

  // What these lanes did before is told by what the warp tells behind.
  void fence(std::uint32_t warp, std::uint32_t lanes);
  // By a store, or an atomic operation (`adds`), which leaves what others told by that word.
  void tell(std::uint32_t warp, std::uint64_t word, bool adds);
  void hear(std::uint32_t warp, std::uint32_t lanes, std::uint64_t word);

  // Barriers of a number of threads: who arrives tells, who passes has heard of all who arrived.
  void arrive(std::uint32_t warp, std::uint32_t barrier);
  void open(std::uint32_t barrier);
  void pass(std::uint32_t warp, std::uint32_t barrier);

  // The same for an mbarrier, by the place where it lies. An arrival that is `relaxed` tells what
  // was fenced before.
  void make(const void* mbarrier) { mbarriers_.erase(mbarrier); }
  void arrive_at(const void* mbarrier, std::uint32_t warp, std::uint32_t lanes, bool relaxed);
  void end_phase(const void* mbarrier);
  void pass_phase(const void* mbarrier, std::uint32_t warp, std::uint32_t lanes);

  static constexpr std::uint32_t barriers = 16;  // of a block; those of the next one follow

 private:
  // Of one warp: all it did before `all`, and what some lanes did before `some`.
  struct Heard {
    std::uint32_t all = 0, some = 0, lanes = 0;
    void join(const Heard& more);
    bool holds(const Past& past) const {
      return past.time < all || (past.time < some && (past.lanes & ~lanes) == 0);
    }
  };
  using Clock = std::vector<Heard>;  // by warp; empty: nothing
  struct Meeting {
    Clock arrived, opened;
  };
  static void join(Clock& clock, const Clock& more);
  // What these lanes may tell of.
  Clock told_by(std::uint32_t warp, std::uint32_t lanes);
  void learn(std::uint32_t warp, std::uint32_t lanes, const Clock& more);

  std::vector<std::uint32_t> time_, met_;  // by warp; met_: when it last came together
  std::vector<Clock> known_, fenced_;      // by warp
  std::vector<Clock> news_;                // by warp: known to `news_for_` alone
  std::vector<std::uint32_t> news_for_;
  std::unordered_map<std::uint64_t, Clock> told_;  // by word
  std::vector<Meeting> parts_;
  std::unordered_map<const void*, Meeting> mbarriers_;
};

}  // namespace klab::sim
