// Running the warps of a block in turn until it finishes, waits or can't go on.
#include "simulator/execute/warp/scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/warp/runner.hpp"

namespace klab::sim {

namespace {

// Lanes that wait in vain for others at a warp-synchronous instruction go on without them.
bool give_up_waiting(BlockState& block) {
  for (WarpState& state : block.warps)
    for (Split& split : state.splits) {
      if (state.exited || split.state != Split::State::at_sync) continue;
      report_absent_lanes(state, split);
      split.passed_sync = split.paths.back().block;
      split.state = Split::State::ready;
      return true;
    }
  return false;
}

}  // namespace

BlockOutcome run_block(BlockState& block, WorkerState& worker) {
  for (bool ran_before = false;; ran_before = true) {
    bool ran = false, polling = false, alive = false, in_cluster = false;
    for (WarpState& state : block.warps) {
      if (state.exited) continue;
      WarpRunner runner(block, worker, state);
      ran |= runner.run(polling);
      if (state.warp.stop || block.launch->stop.load(std::memory_order_relaxed))
        return BlockOutcome::stopped;
      alive |= !state.exited;
      for (const Split& split : state.splits) in_cluster |= split.state == Split::State::at_cluster;
    }
    if (!alive) return BlockOutcome::finished;
    if (polling) return BlockOutcome::waiting;
    if (ran) continue;
    if (in_cluster) return ran_before ? BlockOutcome::waiting : BlockOutcome::stuck;
    if (!give_up_waiting(block)) return BlockOutcome::deadlock;
  }
}

std::string describe_deadlock(const BlockState& block) {
  const Program& program = *block.launch->program;
  std::string places;
  std::vector<std::uint32_t> seen;
  for (const WarpState& state : block.warps)
    for (const Split& split : state.splits) {
      if (state.exited || split.state != Split::State::at_barrier) continue;
      for (const Block& candidate : program.blocks)
        if (candidate.ending == Ending::barrier && candidate.ending_index == split.barrier_index &&
            std::find(seen.begin(), seen.end(), split.barrier_index) == seen.end()) {
          seen.push_back(split.barrier_index);
          const SourceLocation& where = program.locations[candidate.ending_location];
          places += fmt::format("{}{}", places.empty() ? "" : ", ", describe_place(where));
        }
    }
  return fmt::format(
      "The threads of block ({}, {}, {}) of '{}' wait at a barrier that not all of them reach: {}.",
      block.index.x, block.index.y, block.index.z, program.kernel_name, places);
}

}  // namespace klab::sim
