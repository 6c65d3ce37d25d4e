// One warp at work: its paths, splits, calls and barriers. Diverged lanes wait on a stack for their
// immediate post-dominator; when some of them must wait for others (barriers, warp-synchronous
// instructions, locks), they become splits that take turns, so that every thread makes progress
// whatever the others do.
#pragma once
#include <initializer_list>

#include "simulator/execute/execution.hpp"

namespace klab::sim {

// Notes that lanes which a waiting split awaits have left or will not come.
void report_absent_lanes(WarpState& state, const Split& split);
// The instruction that a split waits at, or goes on at.
std::uint32_t waits_at(const Program& program, const Split& split);

class WarpRunner {
 public:
  WarpRunner(BlockState& block, WorkerState& worker, WarpState& state)
      : block_(block),
        launch_(*block.launch),
        program_(*launch_.program),
        worker_(worker),
        state_(state),
        warp_(state.warp) {}

  // Lets each split run until it blocks; true when something ran. `polling` is set when one of them
  // only waits for memory to change.
  bool run(bool& polling);
  // Whether all that ran waited for phases of mbarriers, in vain.
  bool only_waits_for_phases() const { return only_waits_for_phases_; }

 private:
  enum class SplitOutcome : std::uint8_t { exited, blocked, yielded, stopped };
  struct Way {
    std::int32_t block;
    std::uint32_t mask;
  };

  Split& split() { return state_.splits[split_index_]; }
  std::uint32_t live_lanes() const;

  // runner.cpp: basic blocks and branches
  SplitOutcome run_split();
  void count(std::int32_t number, std::uint32_t lanes) {
    BlockCount& count = worker_.blocks[static_cast<std::size_t>(number)];
    ++count.warps;
    count.lanes += static_cast<std::uint32_t>(std::popcount(lanes));
    warp_.clock += program_.blocks[static_cast<std::size_t>(number)].counted;
  }
  void execute(std::int32_t block, std::uint32_t lanes);
  std::uint32_t execute_up_to_fetch(const Block& block, const PathEntry& top);
  bool finish_block(const Block& block, PathEntry& top);
  bool pop_path();
  void branch(const Block& block, PathEntry& top);
  void diverge(std::int32_t join, PathEntry& top, std::initializer_list<Way> ways);
  void jump_by_table(const Block& block, PathEntry& top);
  std::string place_of(const Block& block) const;
  bool out_of_limits(const Block& block, bool polls);

  // calls.cpp
  void enter_frame();
  void call(std::uint32_t index, const Block& block, PathEntry& top);
  void call_indirect(const Block& block, PathEntry& top);
  void leave(const Block& block, PathEntry& top, bool exits);
  std::uint32_t frames_in_use() const;
  std::uint32_t room_for(const FunctionCode& callee) const;
  void return_results(const Activation& from, std::uint32_t lanes);

  // splits.cpp
  bool can_run(Split& split);
  void isolate();
  void merge_splits();
  const std::uint32_t* members_of(const Split& split) const;
  std::uint32_t missing_lanes(const Split& split) const;
  bool name_the_same(const Split& one, const Split& other) const;

  // meetings.cpp
  template <class F>
  std::uint32_t gather(F&& comes) const;
  bool meet_at_sync();
  bool meet_in_place();
  bool meet_apart();
  void exchange(std::uint32_t chosen);
  void count_blocks(std::uint32_t chosen);
  void tell_of_barrier(std::uint32_t chosen);
  bool meet_at_barriers();
  bool go_on(const Block& block, const PathEntry& top);

  // barriers.cpp
  bool barrier(const Block& block, PathEntry& top);
  bool complete(BarrierState& state);
  bool is_of_a_part(const BarrierState& state) const;
  void pass_barrier(Split& split, std::uint32_t reduction, bool waited);
  void finish_reduction(const Split& split, std::uint32_t count);
  void arrive_at_cluster(std::uint32_t lanes, bool relaxed);
  bool wait_for_cluster(Split& split);
  void lanes_exited(std::uint32_t lanes);
  void report_divergence(const Block& block, std::uint32_t here, std::uint32_t missing);

  BlockState& block_;
  LaunchState& launch_;
  const Program& program_;
  WorkerState& worker_;
  WarpState& state_;
  Warp& warp_;
  std::size_t split_index_ = 0;
  bool waits_for_phases_ = false;  // the split that ran last
  bool only_waits_for_phases_ = true;
};

}  // namespace klab::sim
