// Block and cluster barriers.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/warp/runner.hpp"

namespace klab::sim {

namespace {

void open_cluster(ClusterState& cluster) {
  if (cluster.arrived == 0 || cluster.arrived < cluster.live_threads) return;
  cluster.arrived = 0;
  ++cluster.generation;
  // It is a barrier of each block as well, unless it orders no memory: nobody who came with a
  // relaxed arrival has told of anything.
  if (std::exchange(cluster.relaxed, false)) return;
  const bool waited = std::any_of(
      cluster.blocks.begin(), cluster.blocks.end(),
      [](const auto& block) { return block->checker != nullptr && block->checker->any_waited(); });
  for (const auto& block : cluster.blocks) {
    if (block->checker == nullptr || block->finished) continue;
    if (waited) block->checker->all_have_waited();
    block->checker->cluster_barrier();
  }
}

}  // namespace

bool WarpRunner::barrier(const Block& block, PathEntry& top) {
  const Barrier& b = program_.barriers[block.ending_index];
  const std::uint32_t here = top.mask;
  const std::int32_t at = top.block;
  std::uint32_t elsewhere = 0;
  if (here != live_lanes()) {
    // Lanes of another split only come later, as when one lane waits for another block before all
    // meet here.
    if (b.aligned && b.kind != Barrier::Kind::cluster_arrive &&
        b.kind != Barrier::Kind::cluster_wait)
      elsewhere = split().lanes() & ~here;
    isolate();
  }
  Split& s = split();
  s.paths.back().block = block.next;
  if (b.kind == Barrier::Kind::cluster_arrive) return arrive_at_cluster(here, b.relaxed), false;
  if (b.kind == Barrier::Kind::cluster_wait) return wait_for_cluster(s);
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(here));
  const std::uint32_t id = b.id == none ? 0 : slot<std::uint32_t>(warp_, b.id)[lane] & 15;
  const std::uint32_t expected =
      b.threads == none ? 0 : slot<std::uint32_t>(warp_, b.threads)[lane];
  BarrierState& state = block_.barriers[id];
  if (b.source != none)
    state.reduction +=
        static_cast<std::uint32_t>(std::popcount(here & read_predicate(warp_, b.source)));
  // A barrier with a thread count counts whole warps.
  const bool whole = expected != 0 && here == live_lanes();
  state.arrived += whole ? lane_count : static_cast<std::uint32_t>(std::popcount(here));
  state.expected = expected;
  if (is_of_a_part(state)) {
    state.of_a_part = true;
    block_.checker->arrive_at_part(warp_, id);
  }
  s.barrier = id;
  s.barrier_index = block.ending_index;
  s.generation = state.generation;
  s.barrier_block = at;
  s.elsewhere = elsewhere;
  for (Split& other : state_.splits)
    if (other.state == Split::State::at_barrier && other.barrier_block == at &&
        other.barrier == id && other.generation == state.generation)
      other.elsewhere &= ~here;
  const bool waits = b.kind != Barrier::Kind::arrive;
  if (complete(state)) {
    pass_barrier(s, state.last_reduction, waits);
    return false;
  }
  if (!waits) pass_barrier(s, 0, false);
  if (waits) s.state = Split::State::at_barrier;
  return waits;
}

// Opens the barrier if everyone has arrived.
bool WarpRunner::complete(BarrierState& state) {
  const std::uint32_t needed = state.expected != 0 ? state.expected : block_.live_threads;
  if (state.arrived == 0 || state.arrived < needed) return false;
  state.last_reduction = state.reduction;
  state.last_arrived = state.arrived;
  state.arrived = state.reduction = 0;
  ++state.generation;
  state.was_of_a_part = std::exchange(state.of_a_part, false);
  if (state.was_of_a_part)
    block_.checker->open_part(static_cast<std::uint32_t>(&state - block_.barriers));
  else if (block_.checker != nullptr)
    block_.checker->block_barrier();
  return true;
}

// One with a number of its own may count threads that only arrive, even where it counts all.
bool WarpRunner::is_of_a_part(const BarrierState& state) const {
  return block_.checker != nullptr && state.expected != 0 &&
         (&state != block_.barriers || state.expected < warp_.launch->threads_per_block);
}

// Whoever did not come until now took another way.
void WarpRunner::pass_barrier(Split& s, std::uint32_t reduction, bool waited) {
  if (s.elsewhere != 0) {
    const PathEntry& top = s.paths.back();
    const auto before = std::exchange(warp_.called_from, s.activations[top.activation].place);
    report_divergence(program_.blocks[static_cast<std::size_t>(s.barrier_block)], top.mask,
                      s.elsewhere);
    warp_.called_from = before;
  }
  s.elsewhere = 0;
  if (!waited) return;
  if (block_.barriers[s.barrier].was_of_a_part) block_.checker->pass_part(warp_, s.barrier);
  finish_reduction(s, reduction);
}

void WarpRunner::finish_reduction(const Split& s, std::uint32_t count) {
  if (s.barrier_index == none) return;
  const Barrier& b = program_.barriers[s.barrier_index];
  if (b.destination == none) return;
  std::byte* frame = state_.frames + s.activations[s.paths.back().activation].frame;
  const std::uint32_t lanes = s.paths.back().mask;
  if (b.kind == Barrier::Kind::red_popc) {
    auto* out = reinterpret_cast<std::uint32_t*>(frame + b.destination);
    for_each_lane(lanes, [&](std::uint32_t lane) { out[lane] = count; });
    return;
  }
  const bool holds = b.kind == Barrier::Kind::red_or
                         ? count > 0
                         : count == block_.barriers[s.barrier].last_arrived;
  auto& out = *reinterpret_cast<std::uint32_t*>(frame + b.destination);
  out = (out & ~lanes) | (holds ? lanes : 0);
}

// With a fence in front a relaxed arrival tells all the same.
void WarpRunner::arrive_at_cluster(std::uint32_t lanes, bool relaxed) {
  ClusterState& cluster = *block_.cluster;
  cluster.relaxed |= relaxed && !program_.may_order_warps && !program_.may_order_blocks;
  split().cluster_generation = cluster.generation;
  cluster.arrived += static_cast<std::uint32_t>(std::popcount(lanes));
  open_cluster(cluster);
}
bool WarpRunner::wait_for_cluster(Split& s) {
  if (block_.cluster->generation != s.cluster_generation) return false;
  s.state = Split::State::at_cluster;
  return true;
}

// Since capability 7.0 a barrier waits for the threads that have not returned (CUDA C++ Programming
// Guide, "Independent Thread Scheduling"): who returns while others wait need not come.
void WarpRunner::lanes_exited(std::uint32_t lanes) {
  for (Split& other : state_.splits)
    if (other.state == Split::State::at_barrier &&
        other.generation == block_.barriers[other.barrier].generation)
      other.elsewhere &= ~lanes;
  const auto count = static_cast<std::uint32_t>(std::popcount(lanes));
  block_.live_threads -= count;
  if (block_.live_threads == 0 && block_.checker != nullptr) {
    block_.checker->end_block(warp_);
    if (const auto use = block_.checker->still_used(block_.cluster->generation))
      note_ended_block(warp_, *use, 0);
  }
  if (!program_.barriers.empty())
    for (BarrierState& barrier : block_.barriers)
      if (barrier.arrived > 0 && barrier.expected == 0) complete(barrier);
  block_.cluster->live_threads -= count;
  open_cluster(*block_.cluster);
}

void WarpRunner::report_divergence(const Block& block, std::uint32_t here, std::uint32_t missing) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(missing));
  note_finding_at(warp_, block.ending_location, FindingKind::barrier_divergence, lane, [&] {
    return fmt::format(
        "{} of the warp's {} threads reach this barrier while the others take another path",
        std::popcount(here), std::popcount(here | missing));
  });
}

}  // namespace klab::sim
