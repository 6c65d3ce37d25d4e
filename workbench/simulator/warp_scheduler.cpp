// Running warps. Diverged lanes wait on a stack for their immediate post-dominator; when some of
// them must wait for others (barriers, warp-synchronous instructions, locks), they become splits
// that take turns, so that every thread makes progress whatever the others do.
#include "simulator/warp_scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/checker.hpp"

namespace klab::sim {

namespace {

enum class SplitOutcome : std::uint8_t { exited, blocked, yielded, stopped };

// Looked at this often (in instructions of a warp): cancellation, budget.
constexpr std::uint64_t check_interval = 2 * 1024;
// Polls without effect after which a warp's other lanes, then other warps and blocks get a turn.
constexpr std::uint32_t polls_before_yield = 64;
constexpr std::size_t most_activations = 1024;

class WarpRunner {
 public:
  WarpRunner(BlockState& block, WorkerState& worker, WarpState& state)
      : block_(block),
        launch_(*block.launch),
        program_(*launch_.program),
        worker_(worker),
        state_(state),
        warp_(state.warp) {}

  // Lets each split run until it blocks; true when something ran. `polling`: some only wait.
  bool run(bool& polling) {
    bool ran = false;
    for (std::size_t i = 0; i < state_.splits.size() && !warp_.stop; ++i) {
      split_index_ = i;
      if (!can_run(split())) continue;
      ran = true;
      const SplitOutcome outcome = run_split();
      polling |= outcome == SplitOutcome::yielded;
      if (outcome == SplitOutcome::exited) {
        if (state_.splits.size() == 1) {  // kept, so that the next block need not allocate
          state_.exited = true;
          return true;
        }
        state_.splits.erase(state_.splits.begin() + static_cast<std::ptrdiff_t>(i));
        --i;
      }
    }
    if (state_.splits.size() > 1) merge_splits();
    return ran;
  }

 private:
  Split& split() { return state_.splits[split_index_]; }

  std::uint32_t live_lanes() const {
    std::uint32_t lanes = 0;
    for (const Split& other : state_.splits) lanes |= other.lanes();
    return lanes;
  }

  // Whether what a split waits for has happened; then it is made ready.
  bool can_run(Split& split) {
    if (split.state == Split::State::ready) return true;
    if (split.state == Split::State::at_cluster) {
      if (block_.cluster->generation == split.cluster_generation) return false;
    } else if (split.state == Split::State::at_barrier) {
      const BarrierState& barrier = block_.barriers[split.barrier];
      if (barrier.generation == split.generation) return false;
      finish_reduction(split, barrier.last_reduction);
    } else if (!lanes_complete(split)) {
      return false;
    }
    split.state = Split::State::ready;
    return true;
  }

  // ---- the loop over basic blocks ----

  SplitOutcome run_split() {
    std::uint32_t polls = 0;
    enter_frame();
    for (;;) {
      PathEntry& top = split().paths.back();
      if (top.block == top.join || top.mask == 0) {
        if (pop_path()) return SplitOutcome::exited;
        continue;
      }
      const Block& block = program_.blocks[static_cast<std::size_t>(top.block)];
      set_mask(warp_, top.mask);
      if (block.sync_mask != none && top.mask != all_lanes && !lanes_complete(split()) &&
          split().passed_sync != top.block) [[unlikely]] {
        isolate();
        split().state = Split::State::at_sync;
        return SplitOutcome::blocked;
      }
      BlockCount& count = worker_.blocks[static_cast<std::size_t>(top.block)];
      ++count.warps;
      count.lanes += static_cast<std::uint32_t>(std::popcount(top.mask));
      warp_.clock += block.counted;
      const Inst* inst = program_.code.data() + block.first;
      const Inst* const last = program_.code.data() + block.last;
      if (top.mask == all_lanes) {
        for (; inst != last; ++inst) inst->full(warp_, *inst);
      } else {
        for (; inst != last; ++inst) inst->masked(warp_, *inst);
      }
      if (warp_.stop) return SplitOutcome::stopped;
      if (warp_.clock >= state_.check_at && out_of_limits()) return SplitOutcome::stopped;
      if (finish_block(block, top)) return SplitOutcome::blocked;
      if (warp_.stop) return SplitOutcome::stopped;
      if (warp_.polling) [[unlikely]] {
        warp_.polling = false;
        if (++polls >= polls_before_yield) {
          // Lanes that wait below may hold what the polling ones wait for.
          if (split().paths.back().mask != split().lanes()) isolate();
          return SplitOutcome::yielded;
        }
      }
    }
  }

  // The transfer at a block's end; true when the split blocks.
  bool finish_block(const Block& block, PathEntry& top) {
    switch (block.ending) {
      case Ending::next:
        top.block = block.next;
        return false;
      case Ending::jump:
        top.block = block.target;
        return false;
      case Ending::branch:
        branch(block, top);
        return false;
      case Ending::indexed:
        jump_by_table(block, top);
        return false;
      case Ending::ret:
        leave(block, top, false);
        return false;
      case Ending::exit:
        leave(block, top, true);
        return false;
      case Ending::call:
        call(block, top);
        return false;
      case Ending::barrier:
        return barrier(block, top);
    }
    return false;
  }

  // Removes the finished top path; true when the split has no more.
  bool pop_path() {
    Split& s = split();
    const std::uint32_t activation = s.paths.back().activation;
    s.paths.pop_back();
    if (s.paths.empty()) return true;
    if (s.paths.back().activation != activation) {
      if (state_.splits.size() == 1) state_.frame_top = s.activations.back().frame;
      s.activations.pop_back();
      enter_frame();
    }
    return false;
  }

  void enter_frame() {
    const Activation& activation = split().activations[split().paths.back().activation];
    warp_.frame = state_.frames + activation.frame;
  }

  void branch(const Block& block, PathEntry& top) {
    const std::uint32_t wants = read_predicate(warp_, block.predicate);
    const std::uint32_t taken = top.mask & wants, stays = top.mask & ~wants;
    if (stays == 0) {
      top.block = block.target;
    } else if (taken == 0) {
      top.block = block.next;
    } else {
      ++worker_.divergent[static_cast<std::size_t>(top.block)];
      diverge(block.join, top, {{block.next, stays}, {block.target, taken}});
    }
  }

  struct Way {
    std::int32_t block;
    std::uint32_t mask;
  };
  // The last way runs first. The entry at hand waits at the join, unless the one below does
  // already.
  void diverge(std::int32_t join, PathEntry& top, std::initializer_list<Way> ways) {
    const PathEntry from = top;
    Split& s = split();
    const bool replaces = join < 0 || join == from.join;
    if (replaces)
      s.paths.pop_back();
    else
      top.block = join;
    for (const Way& way : ways)
      s.paths.push_back({way.block, replaces ? from.join : join, way.mask, from.activation});
  }

  void jump_by_table(const Block& block, PathEntry& top) {
    const JumpTable& table = program_.jump_tables[block.ending_index];
    const std::uint32_t* index = slot<std::uint32_t>(warp_, table.index);
    const PathEntry from = top;
    // An index beyond the table is undefined; it takes the last way.
    std::vector<std::uint32_t> masks(table.targets.size());
    for_each_lane(from.mask, [&](std::uint32_t lane) {
      masks[std::min<std::size_t>(index[lane], masks.size() - 1)] |= 1u << lane;
    });
    Split& s = split();
    const bool replaces = block.join < 0 || block.join == from.join;
    std::size_t ways = 0;
    for (const std::uint32_t mask : masks) ways += mask != 0;
    worker_.divergent[static_cast<std::size_t>(from.block)] += ways > 1;
    if (replaces)
      s.paths.pop_back();
    else
      top.block = block.join;
    for (std::size_t i = masks.size(); i-- > 0;)
      if (masks[i] != 0)
        s.paths.push_back(
            {table.targets[i], replaces ? from.join : block.join, masks[i], from.activation});
  }

  // ret and exit, for all lanes or those whose predicate holds.
  void leave(const Block& block, PathEntry& top, bool exits) {
    std::uint32_t gone = top.mask;
    if (block.predicate != none) gone &= read_predicate(warp_, block.predicate);
    if (gone != top.mask) top.block = block.next;
    Split& s = split();
    const std::uint32_t activation = top.activation;
    if (!exits) return_results(s.activations[activation], gone);
    for (PathEntry& path : s.paths)
      if (exits || path.activation == activation) path.mask &= ~gone;
    if (exits) threads_exited(static_cast<std::uint32_t>(std::popcount(gone)));
  }

  // ---- calls ----

  void call(const Block& block, PathEntry& top) {
    const Call& call = program_.calls[block.ending_index];
    const FunctionCode& callee = program_.functions[call.function];
    Split& s = split();
    const Activation caller = s.activations[top.activation];
    const std::uint32_t frame =
        std::max(state_.frame_top, caller.frame + program_.functions[caller.function].frame_bytes);
    const std::uint32_t local = caller.local_base + program_.functions[caller.function].local_bytes;
    if (frame + callee.frame_bytes > launch_.frame_bytes ||
        local + callee.local_bytes > warp_.local_bytes ||
        s.activations.size() >= most_activations) {
      warp_.stop = true;
      return launch_.fail(FaultCode::stack_overflow,
                          fmt::format("The call of '{}' overflows the stack ({} calls deep). Raise "
                                      "cudaLimitStackSize, or end the recursion earlier.",
                                      callee.name, s.activations.size()));
    }
    top.block = block.next;
    const std::uint32_t mask = top.mask;
    s.activations.push_back({frame, local, call.function, block.ending_index});
    s.paths.push_back(
        {callee.entry, -1, mask, static_cast<std::uint32_t>(s.activations.size() - 1)});
    state_.frame_top = frame + callee.frame_bytes;
    fill_slots(state_, callee, launch_, block_, state_.frames + frame, local);
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      copy_area(state_.frames + caller.frame + call.arguments[i].slot,
                state_.frames + frame + callee.parameters[i].slot, callee.parameters[i].bytes,
                mask);
    enter_frame();
  }

  void return_results(const Activation& from, std::uint32_t lanes) {
    if (from.call == none) return;
    const Call& call = program_.calls[from.call];
    const FunctionCode& callee = program_.functions[from.function];
    const Split& s = split();
    const std::uint32_t depth = s.paths.back().activation;
    const Activation& caller = s.activations[depth - 1];
    for (std::size_t i = 0; i < call.results.size(); ++i)
      copy_area(state_.frames + from.frame + callee.results[i].slot,
                state_.frames + caller.frame + call.results[i].slot, callee.results[i].bytes,
                lanes);
  }

  static void copy_area(const std::byte* from, std::byte* to, std::uint32_t bytes,
                        std::uint32_t lanes) {
    for (std::uint32_t word = 0; word < bytes / 4; ++word)
      for_each_lane(lanes, [&](std::uint32_t lane) {
        const std::size_t at = word * 4 * lane_count + lane * 4;
        std::memcpy(to + at, from + at, 4);
      });
  }

  // ---- splits ----

  // Gives the lanes of the top path a split of their own, which becomes the current one; the others
  // go on by themselves.
  void isolate() {
    const std::uint32_t lanes = split().paths.back().mask;
    if (lanes == split().lanes()) return;
    Split others = split();
    for (PathEntry& path : others.paths) path.mask &= ~lanes;
    for (PathEntry& path : split().paths) path.mask &= lanes;
    drop_empty_paths(others);
    drop_empty_paths(split());
    state_.splits.insert(state_.splits.begin() + static_cast<std::ptrdiff_t>(split_index_) + 1,
                         std::move(others));
  }

  static void drop_empty_paths(Split& s) {
    std::erase_if(s.paths, [](const PathEntry& path) { return path.mask == 0; });
    if (!s.paths.empty()) s.activations.resize(s.paths.back().activation + 1);
  }

  // Splits that are at the same place with the same things ahead run together again.
  void merge_splits() {
    for (std::size_t i = 0; i < state_.splits.size(); ++i)
      for (std::size_t j = i + 1; j < state_.splits.size();)
        if (merge(state_.splits[i], state_.splits[j])) {
          state_.splits.erase(state_.splits.begin() + static_cast<std::ptrdiff_t>(j));
        } else {
          ++j;
        }
  }

  static bool merge(Split& into, const Split& from) {
    if (into.state != from.state || into.paths.size() != from.paths.size()) return false;
    const bool waiting =
        into.state == Split::State::at_barrier || into.state == Split::State::at_cluster;
    if (waiting && (into.barrier != from.barrier || into.generation != from.generation))
      return false;
    for (std::size_t i = 0; i < into.paths.size(); ++i) {
      const PathEntry &a = into.paths[i], &b = from.paths[i];
      if (a.block != b.block || a.join != b.join || a.activation != b.activation) return false;
    }
    for (std::size_t i = 0; i < into.activations.size(); ++i)
      if (into.activations[i].frame != from.activations[i].frame) return false;
    for (std::size_t i = 0; i < into.paths.size(); ++i) into.paths[i].mask |= from.paths[i].mask;
    return true;
  }

  // Whether all lanes that the instruction at the top of the split names are there, or gone for
  // good.
  bool lanes_complete(Split& s) {
    const PathEntry& top = s.paths.back();
    const Block& block = program_.blocks[static_cast<std::size_t>(top.block)];
    if (block.sync_mask == none) return true;
    const std::byte* frame = state_.frames + s.activations[top.activation].frame;
    const auto* members = reinterpret_cast<const std::uint32_t*>(frame + block.sync_mask);
    std::uint32_t named = 0;
    for_each_lane(top.mask, [&](std::uint32_t lane) { named |= members[lane]; });
    return (named & live_lanes() & ~top.mask) == 0;
  }

  // ---- barriers ----

  bool barrier(const Block& block, PathEntry& top) {
    const Barrier& b = program_.barriers[block.ending_index];
    const std::uint32_t here = top.mask;
    if (here != live_lanes()) {
      if (b.aligned && b.kind != Barrier::Kind::cluster_arrive &&
          b.kind != Barrier::Kind::cluster_wait)
        report_divergence(block, here);
      isolate();
    }
    Split& s = split();
    s.paths.back().block = block.next;
    if (b.kind == Barrier::Kind::cluster_arrive) return arrive_at_cluster(here), false;
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
    s.barrier = id;
    s.barrier_index = block.ending_index;
    s.generation = state.generation;
    const bool waits = b.kind != Barrier::Kind::arrive;
    if (complete(state)) {
      if (waits) finish_reduction(s, state.last_reduction);
      return false;
    }
    if (waits) s.state = Split::State::at_barrier;
    return waits;
  }

  // Opens the barrier if everyone has arrived.
  bool complete(BarrierState& state) {
    const std::uint32_t needed = state.expected != 0 ? state.expected : block_.live_threads;
    if (state.arrived == 0 || state.arrived < needed) return false;
    state.last_reduction = state.reduction;
    state.last_arrived = state.arrived;
    state.arrived = state.reduction = 0;
    ++state.generation;
    if (block_.checker != nullptr) block_.checker->block_barrier();
    return true;
  }

  void finish_reduction(const Split& s, std::uint32_t count) {
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

  void arrive_at_cluster(std::uint32_t lanes) {
    ClusterState& cluster = *block_.cluster;
    split().cluster_generation = cluster.generation;
    cluster.arrived += static_cast<std::uint32_t>(std::popcount(lanes));
    open_cluster(cluster);
  }
  static void open_cluster(ClusterState& cluster) {
    if (cluster.arrived == 0 || cluster.arrived < cluster.live_threads) return;
    cluster.arrived = 0;
    ++cluster.generation;
  }
  bool wait_for_cluster(Split& s) {
    if (block_.cluster->generation != s.cluster_generation) return false;
    s.state = Split::State::at_cluster;
    return true;
  }

  void threads_exited(std::uint32_t count) {
    block_.live_threads -= count;
    for (BarrierState& barrier : block_.barriers)
      if (barrier.arrived > 0 && barrier.expected == 0) complete(barrier);
    block_.cluster->live_threads -= count;
    open_cluster(*block_.cluster);
  }

  void report_divergence(const Block& block, std::uint32_t here) {
    const std::uint32_t missing = live_lanes() & ~here;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(missing));
    note_finding_at(
        warp_, block.ending_location, FindingKind::barrier_divergence, lane,
        fmt::format(
            "{} of the warp's {} threads reach this barrier while the others take another path",
            std::popcount(here), std::popcount(live_lanes())));
  }

  // ---- limits ----

  bool out_of_limits() {
    state_.check_at = warp_.clock + check_interval;
    const std::uint64_t done = warp_.clock - state_.reported;
    state_.reported = warp_.clock;
    const std::uint64_t executed =
        launch_.executed.fetch_add(done, std::memory_order_relaxed) + done;
    if (launch_.stop.load(std::memory_order_relaxed)) return true;
    if (launch_.limits.cancel != nullptr &&
        launch_.limits.cancel->load(std::memory_order_relaxed)) {
      launch_.fail(FaultCode::cancelled, "The launch was cancelled.");
      return true;
    }
    if (launch_.tick) launch_.tick();
    const std::uint64_t budget = launch_.limits.instruction_budget;
    if (budget == 0 || executed <= budget) return false;
    launch_.fail(FaultCode::budget_exhausted,
                 fmt::format("The kernel '{}' was stopped after its budget of {} warp "
                             "instructions. An endless loop, or a problem too large for the "
                             "simulator: use a smaller size, or raise the budget.",
                             program_.kernel_name, budget));
    return true;
  }

  BlockState& block_;
  LaunchState& launch_;
  const Program& program_;
  WorkerState& worker_;
  WarpState& state_;
  Warp& warp_;
  std::size_t split_index_ = 0;
};

// Lanes that wait in vain for others at a warp-synchronous instruction go on without them.
bool give_up_waiting(BlockState& block) {
  for (WarpState& state : block.warps)
    for (Split& split : state.splits) {
      if (state.exited || split.state != Split::State::at_sync) continue;
      const PathEntry& top = split.paths.back();
      const Block& at = block.launch->program->blocks[static_cast<std::size_t>(top.block)];
      note_finding_at(state.warp, block.launch->program->code_location[at.first],
                      FindingKind::bad_shuffle_mask,
                      static_cast<std::uint32_t>(std::countr_zero(top.mask)),
                      fmt::format("a warp-synchronous instruction names lanes that never reach it; "
                                  "only lanes {:#010x} are there",
                                  top.mask));
      split.passed_sync = top.block;
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
          places += fmt::format("{}{} line {}", places.empty() ? "" : ", ", where.file, where.line);
        }
    }
  return fmt::format(
      "The threads of block ({}, {}, {}) of '{}' wait at a barrier that not all of them reach: {}.",
      block.index.x, block.index.y, block.index.z, program.kernel_name, places);
}

}  // namespace klab::sim
