// Where lanes of a warp that came by ways of their own meet: at one warp-synchronous instruction,
// at the same instruction in another call of its function or in another branch, at barriers of a
// warp. PTX asks for the same qualifiers and members, not for the same place (PTX ISA 9.0,
// shfl.sync).
#include <algorithm>
#include <cstring>
#include <utility>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/warp/runner.hpp"

namespace klab::sim {

namespace {

// What some lanes have in the operands of a warp-synchronous instruction.
struct Operands {
  std::uint64_t values[6][lane_count];
};

template <class F>
void visit_operands(const Inst& inst, const SyncInst& sync, F&& visit) {
  for (std::size_t i = 0; i < 6; ++i)
    if (sync.bytes[i] != SyncInst::unused && inst.op[i] != none) visit(i, sync.bytes[i]);
}

void read_operands(const std::byte* frame, const Inst& inst, const SyncInst& sync,
                   std::uint32_t lanes, Operands& to) {
  visit_operands(inst, sync, [&](std::size_t i, std::uint32_t bytes) {
    std::uint32_t bits = 0;
    if (bytes == 0) std::memcpy(&bits, frame + (inst.op[i] & ~1u), 4);
    if ((inst.op[i] & 1) != 0) bits = ~bits;
    for_each_lane(lanes, [&](std::uint32_t lane) {
      to.values[i][lane] = bits >> lane & 1;
      if (bytes != 0) std::memcpy(&to.values[i][lane], frame + inst.op[i] + lane * bytes, bytes);
    });
  });
}

void write_operand(std::byte* frame, std::uint32_t operand, std::uint32_t bytes,
                   std::uint32_t lanes, const std::uint64_t* values) {
  if (bytes != 0)
    return for_each_lane(lanes, [&](std::uint32_t lane) {
      std::memcpy(frame + operand + lane * bytes, &values[lane], bytes);
    });
  auto& word = *reinterpret_cast<std::uint32_t*>(frame + (operand & ~1u));
  for_each_lane(lanes, [&](std::uint32_t lane) {
    const auto bit = static_cast<std::uint32_t>(values[lane] ^ (operand & 1));
    word = (word & ~(1u << lane)) | bit << lane;
  });
}

void write_operands(std::byte* frame, const Inst& inst, const SyncInst& sync, std::uint32_t lanes,
                    const Operands& from) {
  visit_operands(inst, sync, [&](std::size_t i, std::uint32_t bytes) {
    write_operand(frame, inst.op[i], bytes, lanes, from.values[i]);
  });
}

// What an instruction does, whether or not it is predicated.
Handler action_of(const Inst& inst) { return inst.inner != nullptr ? inst.inner : inst.masked; }

// Where the lanes of a split are in an activation: for one that waits for a call to return, the
// block of that call.
std::int32_t place_in(const Split& split, std::size_t activation) {
  for (std::size_t i = split.paths.size(); i-- > 0;) {
    const PathEntry& path = split.paths[i];
    if (path.activation == activation)
      return activation + 1 < split.activations.size() ? path.block - 1 : path.block;
  }
  return -1;
}

bool comes_to(const Program& program, std::int32_t from, std::int32_t to) {
  while (from >= 0) {
    from = program.blocks[static_cast<std::size_t>(from)].join;
    if (from == to) return from >= 0;
  }
  return false;
}

// Whether one waits where the other has yet to come to: it is behind, not beside it.
bool one_after_the_other(const Program& program, const Split& a, const Split& b) {
  std::size_t common = 0;
  while (common + 1 < std::min(a.activations.size(), b.activations.size()) &&
         a.activations[common + 1].frame == b.activations[common + 1].frame)
    ++common;
  const std::int32_t in_a = place_in(a, common), in_b = place_in(b, common);
  if (comes_to(program, in_a, in_b) || comes_to(program, in_b, in_a)) return true;
  return in_a == in_b && a.activations.size() == common + 1 && b.activations.size() == common + 1 &&
         a.at != b.at;
}

}  // namespace

std::uint32_t waits_at(const Program& program, const Split& split) {
  const PathEntry& top = split.paths.back();
  return split.at != none ? split.at : program.blocks[static_cast<std::size_t>(top.block)].first;
}

// Lanes that wait for one another name the same ones: who waits at a barrier of some of them has
// yet to come to that of all (PTX ISA 9.0, bar.warp.sync).
bool WarpRunner::name_the_same(const Split& one, const Split& other) const {
  const std::uint32_t* named = members_of(one);
  const std::uint32_t* theirs = members_of(other);
  if (named == nullptr || theirs == nullptr) return true;
  bool same = true;
  for_each_lane(one.paths.back().mask, [&](std::uint32_t lane) {
    for_each_lane(named[lane] & other.paths.back().mask,
                  [&](std::uint32_t awaited) { same &= theirs[awaited] == named[lane]; });
  });
  return same;
}

// Of the splits that `comes` takes, those which the one at hand waits for, and those which they
// wait for, a bit each; 0 if some lanes are missing.
template <class F>
std::uint32_t WarpRunner::gather(F&& comes) const {
  const std::vector<Split>& all = state_.splits;
  std::uint32_t chosen = 1u << split_index_;
  std::uint32_t here = all[split_index_].paths.back().mask;
  std::uint32_t wanted = missing_lanes(all[split_index_]);
  const auto agrees = [&](const Split& other) {
    bool same = true;
    for_each_lane(chosen, [&](std::uint32_t i) { same &= name_the_same(all[i], other); });
    return same;
  };
  for (bool grown = true; std::exchange(grown, false);)
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::uint32_t lanes = all[i].paths.back().mask;
      if ((chosen >> i & 1) != 0 || all[i].state != Split::State::at_sync ||
          (lanes & wanted) == 0 || !comes(all[i], chosen) || !agrees(all[i]))
        continue;
      chosen |= 1u << i;
      here |= lanes;
      wanted |= missing_lanes(all[i]);
      grown = true;
    }
  return (wanted & ~here) == 0 ? chosen : 0;
}

// Lanes that wait at warp-synchronous instructions, each split with other things left to do behind
// them: true if all that the one at hand waits for have come.
bool WarpRunner::meet_at_sync() {
  if (split().state != Split::State::at_sync) return false;
  return meet_in_place() || meet_apart() || meet_at_barriers();
}

// At one block of one activation they execute it together, and then each goes on by itself.
bool WarpRunner::meet_in_place() {
  const auto frame = [](const Split& s) { return s.activations[s.paths.back().activation].frame; };
  if (split().at != none) return false;
  const std::int32_t number = split().paths.back().block;
  const std::uint32_t chosen = gather([&](const Split& other, std::uint32_t) {
    return other.at == none && other.paths.back().block == number && frame(other) == frame(split());
  });
  if (chosen == 0) return false;
  std::uint32_t together = 0;
  for_each_lane(chosen, [&](std::uint32_t i) { together |= state_.splits[i].paths.back().mask; });
  enter_frame();
  set_mask(warp_, together);
  execute(number, together);
  for_each_lane(chosen, [&](std::uint32_t i) {
    state_.splits[i].state = Split::State::ready;
    state_.splits[i].at = program_.blocks[static_cast<std::size_t>(number)].last;
  });
  return true;
}

// In several calls of a function, or in branches beside each other, only the instruction is
// executed together: what follows in their blocks has registers of its own in each.
bool WarpRunner::meet_apart() {
  const auto inst_of = [&](const Split& s) -> const Inst& {
    return program_.code[waits_at(program_, s)];
  };
  const SyncInst* sync = program_.sync_at(waits_at(program_, split()));
  if (sync == nullptr) return false;
  const Inst& inst = inst_of(split());
  const std::uint32_t chosen = gather([&](const Split& other, std::uint32_t so_far) {
    if (program_.sync_at(waits_at(program_, other)) == nullptr ||
        action_of(inst_of(other)) != action_of(inst))
      return false;
    bool beside = true;
    for_each_lane(so_far, [&](std::uint32_t i) {
      beside &= !one_after_the_other(program_, state_.splits[i], other);
    });
    return beside;
  });
  if (chosen == 0) return false;
  exchange(chosen);
  return true;
}

// Executes the instruction that these splits wait at, in the frame of one of them.
void WarpRunner::exchange(std::uint32_t chosen) {
  const auto frame_of = [&](const Split& s) {
    return state_.frames + s.activations[s.paths.back().activation].frame;
  };
  std::size_t host = split_index_;
  for_each_lane(chosen, [&](std::uint32_t i) {  // one that has all results
    if (program_.code[waits_at(program_, state_.splits[i])].op[5] != none) host = i;
  });
  const std::uint32_t number = waits_at(program_, state_.splits[host]);
  const Inst& inst = program_.code[number];
  const SyncInst& sync = *program_.sync_at(number);
  std::byte* const frame = frame_of(state_.splits[host]);
  std::uint32_t active = 0, guests = 0;
  Operands theirs{}, own{};
  for_each_lane(chosen, [&](std::uint32_t i) {
    const Split& s = state_.splits[i];
    const Inst& there = program_.code[waits_at(program_, s)];
    const std::uint32_t lanes = s.paths.back().mask;
    warp_.frame = frame_of(s);
    active |= there.predicate == none ? lanes : lanes & read_predicate(warp_, there.predicate);
    if (&there == &inst && warp_.frame == frame) return;
    guests |= lanes;
    read_operands(warp_.frame, there, sync, lanes, theirs);
  });
  read_operands(frame, inst, sync, guests, own);
  write_operands(frame, inst, sync, guests, theirs);
  split_index_ = std::exchange(host, split_index_);
  enter_frame();
  split_index_ = host;
  set_mask(warp_, active);
  count_blocks(chosen);
  if (active != 0) action_of(inst)(warp_, inst);
  read_operands(frame, inst, sync, guests, theirs);
  write_operands(frame, inst, sync, guests, own);
  for_each_lane(chosen, [&](std::uint32_t i) {
    Split& s = state_.splits[i];
    const std::uint32_t at = waits_at(program_, s), lanes = s.paths.back().mask & guests & active;
    for (const std::size_t result : {0, 5})
      if (sync.bytes[result] != SyncInst::unused && program_.code[at].op[result] != none)
        write_operand(frame_of(s), program_.code[at].op[result], sync.bytes[result], lanes,
                      theirs.values[result]);
    s.state = Split::State::ready;
    s.at = at + 1;
  });
}

// Of those that wait at their block's first instruction: each block once for all that are there.
void WarpRunner::count_blocks(std::uint32_t chosen) {
  for (std::uint32_t left = chosen; left != 0;) {
    const Split& first = state_.splits[static_cast<std::size_t>(std::countr_zero(left))];
    const std::int32_t number = first.paths.back().block;
    std::uint32_t lanes = 0;
    for_each_lane(left, [&](std::uint32_t i) {
      const Split& s = state_.splits[i];
      if (s.at != none || s.paths.back().block == number) left &= ~(1u << i);
      if (s.at == none && s.paths.back().block == number) lanes |= s.paths.back().mask;
    });
    if (lanes != 0) count(number, lanes);
  }
}

// To the checker all of them came to one barrier.
void WarpRunner::tell_of_barrier(std::uint32_t chosen) {
  std::uint32_t together = 0, members[lane_count]{};
  for_each_lane(chosen, [&](std::uint32_t i) {
    const std::uint32_t lanes = state_.splits[i].paths.back().mask;
    const std::uint32_t* named = members_of(state_.splits[i]);
    for_each_lane(lanes, [&](std::uint32_t lane) { members[lane] = named[lane]; });
    together |= lanes;
  });
  warp_.checker->warp_met(warp_.index, together);
  warp_.checker->warp_barrier(warp_.index, together, members);
}

// A barrier of a warp asks for lanes with the same mask, not at the same place (PTX ISA 9.0,
// bar.warp.sync): each goes on by itself, once all that are named wait at such a barrier.
bool WarpRunner::meet_at_barriers() {
  const auto waits = [&](const Split& s) {
    const SyncInst* sync = program_.sync_at(waits_at(program_, s));
    return sync != nullptr && sync->is_barrier;
  };
  if (!waits(split())) return false;
  const std::uint32_t chosen =
      gather([&](const Split& other, std::uint32_t) { return waits(other); });
  if (chosen != 0 && warp_.checker != nullptr) [[unlikely]]
    tell_of_barrier(chosen);
  for_each_lane(chosen, [&](std::uint32_t i) {
    Split& s = state_.splits[i];
    s.state = Split::State::ready;
    s.passes_once = true;
    if (s.at != none) return;
    // Its block may have more barriers of the same lanes: it waits at each of these again.
    const PathEntry& top = s.paths.back();
    count(top.block, top.mask);
    s.at = program_.blocks[static_cast<std::size_t>(top.block)].first;
  });
  return chosen != 0;
}

// The rest of a block whose first instructions ran together with other splits; false if it has to
// wait at one of them.
bool WarpRunner::go_on(const Block& block, const PathEntry& top) {
  for (std::uint32_t i = std::exchange(split().at, none); i < block.last && !warp_.stop; ++i) {
    if (program_.sync_at(i) != nullptr && split().passed_sync != top.block &&
        !std::exchange(split().passes_once, false)) {
      if (const std::uint32_t missing = missing_lanes(split()); missing != 0) {
        split().at = i;
        split().state = Split::State::at_sync;
        split().awaited = missing;
        return false;
      }
    }
    const Inst& inst = program_.code[i];
    (top.mask == all_lanes ? inst.full : inst.masked)(warp_, inst);
  }
  return true;
}

}  // namespace klab::sim
