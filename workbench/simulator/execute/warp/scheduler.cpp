// Running the warps of a block in turn until it finishes, waits or can't go on.
#include "simulator/execute/warp/scheduler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

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

// After so many rounds, of as many polls each as a warp does before it yields, in which all threads
// of a block waited for phases of mbarriers alone and none of these came nearer to its end, none
// ever will: nobody else reaches the block's shared memory.
constexpr std::uint32_t rounds_in_vain_at_most = 256;

// True if the threads of the block wait for phases that never end.
bool waits_in_vain(BlockState& block, bool in_vain) {
  block.rounds_in_vain = in_vain ? block.rounds_in_vain + 1 : 0;
  if (block.rounds_in_vain < rounds_in_vain_at_most) return false;
  block.rounds_in_vain = 0;
  return !give_up_waiting(block);
}

WarpState& warp_at(BlockState& block, std::size_t turn) {
  return block.warps[block.launch->limits.warps_in_reverse ? block.warps.size() - 1 - turn : turn];
}

}  // namespace

BlockOutcome run_block(BlockState& block, WorkerState& worker) {
  for (bool ran_before = false;; ran_before = true) {
    bool ran = false, polling = false, alive = false, in_cluster = false, gave_way = false;
    bool in_vain = block.cluster->blocks.size() == 1;
    const std::uint64_t phase_events = block.phase_events;
    for (std::size_t turn = 0; turn < block.warps.size(); ++turn) {
      WarpState& state = warp_at(block, turn);
      if (state.exited) continue;
      WarpRunner runner(block, worker, state);
      ran |= runner.run(polling);
      in_vain &= runner.only_waits_for_phases();
      if (state.warp.stop || block.launch->stop.load(std::memory_order_relaxed))
        return BlockOutcome::stopped;
      alive |= !state.exited;
      gave_way |= state.gave_way;
      for (const Split& split : state.splits) in_cluster |= split.state == Split::State::at_cluster;
    }
    if (!alive) return BlockOutcome::finished;
    in_vain &= polling && block.phase_events == phase_events;
    if (waits_in_vain(block, in_vain)) return BlockOutcome::deadlock;
    // What another block changes now shows whether this one acts on what is out of date.
    if (polling || gave_way) return BlockOutcome::waiting;
    if (ran) continue;
    if (in_cluster) return ran_before ? BlockOutcome::waiting : BlockOutcome::stuck;
    if (!give_up_waiting(block)) return BlockOutcome::deadlock;
  }
}

// The places where warps wait for phases of mbarriers.
static std::string describe_phases(const BlockState& block) {
  std::set<std::string> places;
  for (const WarpState& state : block.warps) {
    const auto polls = [](const Split& split) { return split.state == Split::State::ready; };
    if (!state.exited && std::any_of(state.splits.begin(), state.splits.end(), polls))
      places.insert(describe_place(block.launch->program->locations[state.warp.waited_for_phase]));
  }
  return fmt::format("{}", fmt::join(places, ", "));
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
  const std::string phases = describe_phases(block);
  const char* const what = phases.empty() ? "at a barrier that not all of them reach"
                                          : "for a phase of an mbarrier that none of them ends";
  return fmt::format("The threads of block ({}, {}, {}) of '{}' wait {}: {}.", block.index.x,
                     block.index.y, block.index.z, program.kernel_name, what,
                     phases.empty() ? places : phases);
}

}  // namespace klab::sim
