// The loop over basic blocks: executing them, branching, looking at the launch's limits.
#include "simulator/execute/warp/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "simulator/execute/checks/checker.hpp"

namespace klab::sim {

namespace {

// Looked at this often (in instructions of a warp): cancellation, budget.
constexpr std::uint64_t check_interval = 2 * 1024;
// Polls without effect after which a warp's other lanes, then other warps and blocks get a turn;
// and where its last turn ended so, and nothing else may have come of it.
constexpr std::uint32_t polls_before_yield = 8, polls_again = 4;

}  // namespace

// Lets each split run until it blocks; true when something ran. `polling`: some only wait.
bool WarpRunner::run(bool& polling) {
  bool ran = false;
  for (std::size_t i = 0; i < state_.splits.size() && !warp_.stop; ++i) {
    split_index_ = i;
    if (!can_run(split())) {
      if (!meet_at_sync()) continue;
      merge_splits();
      i = split_index_;
    }
    ran = true;
    const SplitOutcome outcome = run_split();
    polling |= outcome == SplitOutcome::yielded;
    only_waits_for_phases_ &= outcome == SplitOutcome::yielded && waits_for_phases_;
    block_.moved |= outcome != SplitOutcome::yielded;
    state_.waited = outcome == SplitOutcome::yielded;
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

WarpRunner::SplitOutcome WarpRunner::run_split() {
  std::uint32_t polls = state_.waited ? polls_before_yield - polls_again : 0;
  const bool gives_way = launch_.limits.warps_in_reverse && !std::exchange(state_.gave_way, false);
  waits_for_phases_ = true;
  enter_frame();
  for (;;) {
    PathEntry& top = split().paths.back();
    if (top.block == top.join || top.mask == 0) {
      if (pop_path()) return SplitOutcome::exited;
      continue;
    }
    const Block& block = program_.blocks[static_cast<std::size_t>(top.block)];
    set_mask(warp_, top.mask);
    if (split().at != none) [[unlikely]] {
      if (!go_on(block, top)) return SplitOutcome::blocked;
      if (warp_.stop) return SplitOutcome::stopped;
      if (finish_block(block, top)) return SplitOutcome::blocked;
      if (warp_.stop) return SplitOutcome::stopped;
      continue;
    }
    if (block.sync_mask != none && top.mask != all_lanes && split().passed_sync != top.block &&
        !std::exchange(split().passes_once, false)) [[unlikely]] {
      if (const std::uint32_t missing = missing_lanes(split()); missing != 0) {
        isolate();
        split().state = Split::State::at_sync;
        split().awaited = missing;
        return SplitOutcome::blocked;
      }
    }
    if (gives_way)
      split().at = execute_up_to_fetch(block, top);
    else
      execute(top.block, top.mask);
    if (warp_.stop) return SplitOutcome::stopped;
    if (split().at != none) return SplitOutcome::blocked;
    if (warp_.clock >= state_.check_at && out_of_limits(block, polls > 0))
      return SplitOutcome::stopped;
    if (finish_block(block, top)) return SplitOutcome::blocked;
    if (warp_.stop) return SplitOutcome::stopped;
    // Lanes that polled in a function and have returned are told from others in their caller.
    if (warp_.polling && split().paths.back().mask != 0) [[unlikely]] {
      warp_.polling = false;
      waits_for_phases_ &= std::exchange(warp_.waiting_for_phase, false);
      if (++polls >= polls_before_yield) {
        // Lanes that wait below may hold what the polling ones wait for.
        if (split().paths.back().mask != split().lanes()) isolate();
        return SplitOutcome::yielded;
      }
    }
  }
}

// The instructions of a block, for these lanes.
void WarpRunner::execute(std::int32_t number, std::uint32_t lanes) {
  const Block& block = program_.blocks[static_cast<std::size_t>(number)];
  count(number, lanes);
  const Inst* inst = program_.code.data() + block.first;
  const Inst* const last = program_.code.data() + block.last;
  if (lanes == all_lanes) {
    for (; inst != last; ++inst) inst->full(warp_, *inst);
  } else {
    for (; inst != last; ++inst) inst->masked(warp_, *inst);
  }
}

// The same up to what others may change before it is made use of: the first load of a kind that
// sees their stores, or atomic operation with a result. What comes behind it there, or none.
std::uint32_t WarpRunner::execute_up_to_fetch(const Block& block, const PathEntry& top) {
  count(top.block, top.mask);
  warp_.fetched = false;
  for (std::uint32_t i = block.first; i < block.last; ++i) {
    const Inst& inst = program_.code[i];
    (top.mask == all_lanes ? inst.full : inst.masked)(warp_, inst);
    const bool polled = warp_.polling && !warp_.waiting_for_phase;
    if (!(polled || warp_.fetched) || warp_.stop) continue;
    if (polled) warp_.polling = false;
    state_.gave_way = true;
    return i + 1;
  }
  return none;
}

// The transfer at a block's end; true when the split blocks.
bool WarpRunner::finish_block(const Block& block, PathEntry& top) {
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
      call(block.ending_index, block, top);
      return false;
    case Ending::indirect_call:
      call_indirect(block, top);
      return false;
    case Ending::barrier:
      return barrier(block, top);
  }
  return false;
}

// Removes the finished top path; true when the split has no more.
bool WarpRunner::pop_path() {
  Split& s = split();
  const std::uint32_t activation = s.paths.back().activation;
  s.paths.pop_back();
  if (s.paths.empty()) return true;
  if (s.paths.back().activation != activation) {
    s.activations.pop_back();
    state_.frame_top = frames_in_use();
    enter_frame();
  }
  return false;
}

void WarpRunner::branch(const Block& block, PathEntry& top) {
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

// The last way runs first. The entry at hand waits at the join, unless the one below does
// already.
void WarpRunner::diverge(std::int32_t join, PathEntry& top, std::initializer_list<Way> ways) {
  const PathEntry from = top;
  Split& s = split();
  const bool replaces = join < 0 || join == from.join;
  if (replaces)
    s.paths.pop_back();
  else
    top.block = join;
  for (const Way& way : ways) {
    s.paths.push_back({way.block, replaces ? from.join : join, way.mask, from.activation});
    if (warp_.checker != nullptr) warp_.checker->warp_parts(warp_.index, way.mask);
  }
}

void WarpRunner::jump_by_table(const Block& block, PathEntry& top) {
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

// The source line that the block ends at, in words for a message; empty without -lineinfo.
std::string WarpRunner::place_of(const Block& block) const {
  std::uint32_t location = block.ending_location;
  if (program_.locations[location].line == 0 && block.last > block.first)
    location = program_.code_location[block.last - 1];
  const SourceLocation& where = program_.locations[location];
  return where.line == 0 ? std::string() : fmt::format(" at {} line {}", where.file, where.line);
}

bool WarpRunner::out_of_limits(const Block& block, bool polls) {
  state_.check_at = warp_.clock + check_interval;
  const std::uint64_t done = warp_.clock - state_.reported;
  state_.reported = warp_.clock;
  const std::uint64_t executed = launch_.executed.fetch_add(done, std::memory_order_relaxed) + done;
  if (launch_.stop.load(std::memory_order_relaxed)) return true;
  if (launch_.limits.cancel != nullptr && launch_.limits.cancel->load(std::memory_order_relaxed)) {
    launch_.fail(FaultCode::cancelled,
                 fmt::format("The kernel '{}' was stopped{}: its time was over.",
                             program_.kernel_name, place_of(block)));
    return true;
  }
  if (launch_.tick) launch_.tick();
  const std::uint64_t budget = launch_.limits.instruction_budget;
  const std::uint64_t touched = launch_.limits.touched_bytes;
  if (touched > 0 && launch_.memory->touched_bytes() > launch_.touched_before + touched) {
    launch_.fail(
        FaultCode::budget_exhausted,
        fmt::format("The kernel '{}' was stopped{}: it touched more memory than the {} bytes "
                    "that a launch may here. Use a smaller size.",
                    program_.kernel_name, place_of(block), touched));
    return true;
  }
  if (budget == 0 || executed <= budget) return false;
  if ((polls || warp_.polling || state_.waited) &&
      executed <= launch_.grace.load(std::memory_order_relaxed)) {
    launch_.over_budget.store(true, std::memory_order_relaxed);
    return false;
  }
  launch_.fail(FaultCode::budget_exhausted,
               fmt::format("The kernel '{}' was stopped{} after its budget of {} warp "
                           "instructions. An endless loop, or a problem too large for the "
                           "simulator.",
                           program_.kernel_name, place_of(block), budget));
  return true;
}

}  // namespace klab::sim
