// Calls, returns and exits.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "simulator/execute/warp/runner.hpp"
#include "simulator/execute/warp/scheduler.hpp"

namespace klab::sim {

namespace {

// One parameter, for some lanes, from one frame to another.
void copy_area(const std::byte* from, std::byte* to, std::uint32_t bytes, std::uint32_t lanes) {
  for (std::uint32_t word = 0; word < bytes / 4; ++word)
    for_each_lane(lanes, [&](std::uint32_t lane) {
      const std::size_t at = word * 4 * lane_count + lane * 4;
      std::memcpy(to + at, from + at, 4);
    });
}

}  // namespace

void WarpRunner::enter_frame() {
  const Activation& activation = split().activations[split().paths.back().activation];
  warp_.frame = state_.frames + activation.frame;
  warp_.called_from = activation.place;
}

// ret and exit, for all lanes or those whose predicate holds.
void WarpRunner::leave(const Block& block, PathEntry& top, bool exits) {
  std::uint32_t gone = top.mask;
  if (block.predicate != none) gone &= read_predicate(warp_, block.predicate);
  if (gone != top.mask) top.block = block.next;
  Split& s = split();
  const std::uint32_t activation = top.activation;
  if (!exits) return_results(s.activations[activation], gone);
  for (PathEntry& path : s.paths)
    if (exits || path.activation == activation) path.mask &= ~gone;
  if (exits) lanes_exited(gone);
}

// Where the frame of a function begins: above all others, or, where that is too high, in the lowest
// gap. Splits that call in turns climb over each other, and leave gaps behind.
std::uint32_t WarpRunner::room_for(const FunctionCode& callee) const {
  const std::uint32_t bytes = callee.frame_bytes;
  if (state_.frame_top + bytes <= launch_.frame_bytes) return state_.frame_top;
  std::uint32_t at = 0;
  for (bool moved = true; std::exchange(moved, false);)
    for (const Split& split : state_.splits)
      for (const Activation& other : split.activations) {
        const std::uint32_t end = other.frame + program_.functions[other.function].frame_bytes;
        if (at < end && other.frame < at + bytes) at = end, moved = true;
      }
  return at;
}

void WarpRunner::call(std::uint32_t index, const Block& block, PathEntry& top) {
  const Call& call = program_.calls[index];
  const FunctionCode& callee = program_.functions[call.function];
  Split& s = split();
  const Activation caller = s.activations[top.activation];
  const std::uint32_t frame = room_for(callee);
  const std::uint32_t local = caller.local_base + program_.functions[caller.function].local_bytes;
  const bool no_local = local + callee.local_bytes > warp_.local_bytes;
  if (no_local || frame + callee.frame_bytes > launch_.frame_bytes ||
      s.activations.size() >= most_called_frames) {
    warp_.stop = true;
    return launch_.fail(
        FaultCode::stack_overflow,
        fmt::format("The call of '{}'{} overflows the stack ({} calls deep). {}", callee.name,
                    place_of(block), s.activations.size(),
                    no_local || launch_.stack_may_grow
                        ? "Raise cudaLimitStackSize, or end the recursion earlier."
                        : "That is as deep as the simulator follows calls, whatever "
                          "cudaLimitStackSize says: end the recursion earlier."));
  }
  top.block = block.next;
  const std::uint32_t mask = top.mask;
  const SourceLocation& where = program_.locations[block.ending_location];
  const bool is_own = where.line != 0 && (!where.of_toolkit || caller.place == 0);
  s.activations.push_back(
      {frame, local, call.function, index, is_own ? block.ending_location : caller.place});
  s.paths.push_back({callee.entry, -1, mask, static_cast<std::uint32_t>(s.activations.size() - 1)});
  state_.frame_top = std::max(state_.frame_top, frame + callee.frame_bytes);
  fill_slots(state_, callee, launch_, block_, state_.frames + frame, local);
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    copy_area(state_.frames + caller.frame + call.arguments[i].slot,
              state_.frames + frame + callee.parameters[i].slot, callee.parameters[i].bytes, mask);
  enter_frame();
}

// Lanes that name the same function call it together; the others execute the call again.
void WarpRunner::call_indirect(const Block& block, PathEntry& top) {
  const IndirectCall& indirect = program_.indirect_calls[block.ending_index];
  const auto* targets = slot<std::uint64_t>(warp_, indirect.target);
  const std::uint64_t wanted = targets[std::countr_zero(top.mask)];
  std::uint32_t together = 0;
  for_each_lane(top.mask, [&](std::uint32_t lane) {
    together |= std::uint32_t{targets[lane] == wanted} << lane;
  });
  if (together != top.mask) {
    // This round is not counted: every lane executes the call once.
    const auto at = static_cast<std::size_t>(top.block);
    --worker_.blocks[at].warps;
    worker_.blocks[at].lanes -= static_cast<std::uint32_t>(std::popcount(top.mask));
    warp_.clock -= block.counted;
    return diverge(block.join, top, {{top.block, top.mask & ~together}, {top.block, together}});
  }
  for (const IndirectCall::Callee& callee : indirect.callees)
    if (callee.address == wanted) return call(callee.call, block, top);
  warp_.stop = true;
  launch_.fail(FaultCode::illegal_address,
               fmt::format("The kernel '{}' calls {:#x}, which is no function with the parameters "
                           "of this call ({}).",
                           program_.kernel_name, wanted,
                           describe_place(program_.locations[block.ending_location])));
}

// Up to where frames reach that any of the warp's lanes will return to.
std::uint32_t WarpRunner::frames_in_use() const {
  std::uint32_t end = 0;
  for (const Split& split : state_.splits)
    for (const Activation& activation : split.activations)
      end = std::max(end, activation.frame + program_.functions[activation.function].frame_bytes);
  return end;
}

void WarpRunner::return_results(const Activation& from, std::uint32_t lanes) {
  if (from.call == none) return;
  const Call& call = program_.calls[from.call];
  const FunctionCode& callee = program_.functions[from.function];
  const Split& s = split();
  const std::uint32_t depth = s.paths.back().activation;
  const Activation& caller = s.activations[depth - 1];
  for (std::size_t i = 0; i < call.results.size(); ++i)
    copy_area(state_.frames + from.frame + callee.results[i].slot,
              state_.frames + caller.frame + call.results[i].slot, callee.results[i].bytes, lanes);
}

}  // namespace klab::sim
