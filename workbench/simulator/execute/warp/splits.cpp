// Lanes of one warp that go separate ways because some must wait for others, and their reunion.
#include <fmt/format.h>

#include <utility>

#include "simulator/execute/warp/runner.hpp"

namespace klab::sim {

namespace {

void drop_empty_paths(Split& s) {
  std::erase_if(s.paths, [](const PathEntry& path) { return path.mask == 0; });
  if (!s.paths.empty()) s.activations.resize(s.paths.back().activation + 1);
}

bool merge(Split& into, const Split& from) {
  if (into.state != from.state || into.at != from.at || into.passes_once != from.passes_once ||
      into.paths.size() != from.paths.size() || into.activations.size() != from.activations.size())
    return false;
  const bool waiting =
      into.state == Split::State::at_barrier || into.state == Split::State::at_cluster;
  if (waiting && (into.barrier != from.barrier || into.generation != from.generation)) return false;
  for (std::size_t i = 0; i < into.paths.size(); ++i) {
    const PathEntry &a = into.paths[i], &b = from.paths[i];
    if (a.block != b.block || a.join != b.join || a.activation != b.activation) return false;
  }
  for (std::size_t i = 0; i < into.activations.size(); ++i)
    if (into.activations[i].frame != from.activations[i].frame) return false;
  for (std::size_t i = 0; i < into.paths.size(); ++i) into.paths[i].mask |= from.paths[i].mask;
  into.elsewhere |= from.elsewhere;
  return true;
}

}  // namespace

std::uint32_t WarpRunner::live_lanes() const {
  std::uint32_t lanes = 0;
  for (const Split& other : state_.splits) lanes |= other.lanes();
  return lanes;
}

// Whether what a split waits for has happened; then it is made ready.
bool WarpRunner::can_run(Split& split) {
  if (split.state == Split::State::ready) return true;
  if (split.state == Split::State::at_cluster) {
    if (block_.cluster->generation == split.cluster_generation) return false;
  } else if (split.state == Split::State::at_barrier) {
    const BarrierState& barrier = block_.barriers[split.barrier];
    if (barrier.generation == split.generation) return false;
    pass_barrier(split, barrier.last_reduction, true);
  } else {
    // Those that have exited may be named (CUDA programming guide, warp vote functions); what a
    // shuffle asks of them is undefined.
    if (missing_lanes(split) != 0) return false;
  }
  split.state = Split::State::ready;
  return true;
}

// Gives the lanes of the top path a split of their own, which becomes the current one; the others
// go on by themselves.
void WarpRunner::isolate() {
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

// Splits that are at the same place with the same things ahead run together again; the current one
// stays the current one.
void WarpRunner::merge_splits() {
  for (std::size_t i = 0; i < state_.splits.size(); ++i)
    for (std::size_t j = i + 1; j < state_.splits.size();)
      if (merge(state_.splits[i], state_.splits[j])) {
        state_.splits.erase(state_.splits.begin() + static_cast<std::ptrdiff_t>(j));
        if (split_index_ >= j) split_index_ = split_index_ == j ? i : split_index_ - 1;
      } else {
        ++j;
      }
}

// By lane, whom the instruction at the top of the split names; null where it names nobody.
const std::uint32_t* WarpRunner::members_of(const Split& s) const {
  const PathEntry& top = s.paths.back();
  const Block& block = program_.blocks[static_cast<std::size_t>(top.block)];
  if (block.sync_mask == none) return nullptr;
  const std::byte* frame = state_.frames + s.activations[top.activation].frame;
  return reinterpret_cast<const std::uint32_t*>(frame + block.sync_mask);
}

// Lanes that the instruction at the top of the split names, and that are alive but elsewhere.
std::uint32_t WarpRunner::missing_lanes(const Split& s) const {
  const PathEntry& top = s.paths.back();
  const std::uint32_t* members = members_of(s);
  if (members == nullptr) return 0;
  std::uint32_t named = 0;
  for_each_lane(top.mask, [&](std::uint32_t lane) { named |= members[lane]; });
  return named & live_lanes() & ~top.mask;
}

void report_absent_lanes(WarpState& state, const Split& split) {
  const PathEntry& top = split.paths.back();
  const Program& program = *state.warp.launch->program;
  // It may have run last in another function than these lanes wait in.
  const auto before =
      std::exchange(state.warp.called_from, split.activations[top.activation].place);
  note_finding_at(
      state.warp, program.code_location[waits_at(program, split)], FindingKind::bad_shuffle_mask,
      static_cast<std::uint32_t>(std::countr_zero(top.mask)), [&] {
        return fmt::format(
            "a warp-synchronous instruction names lanes {:#010x} that never reach it; only lanes "
            "{:#010x} are there",
            split.awaited & ~top.mask, top.mask);
      });
  state.warp.called_from = before;
}

}  // namespace klab::sim
