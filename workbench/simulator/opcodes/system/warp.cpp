// Exchange between the lanes of a warp: shuffles, votes, matches, reductions.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

namespace {

constexpr std::uint8_t unused = SyncInst::unused;

// Lanes of other warps' threads that exited no longer count; those that are merely elsewhere do.
// The scheduler has already brought together whoever could come.
void check_members(Warp& warp, const Inst& inst, u32 members_slot) {
  const u32* members = slot<u32>(warp, members_slot);
  for_each_lane(warp.mask, [&](u32 lane) {
    if ((members[lane] >> lane & 1) == 0)
      note_finding(warp, inst, FindingKind::bad_shuffle_mask, lane, [&] {
        return fmt::format(
            "lane {} executes a warp-synchronous instruction whose member mask "
            "{:#010x} does not name it",
            lane, members[lane]);
      });
  });
  if (warp.checker == nullptr) return;
  warp.checker->warp_met(warp.index, warp.mask);
  // Who names some of the lanes is together with those alone.
  for (u32 left = warp.mask, group = 0; left != 0; left &= ~group) {
    group = (members[std::countr_zero(left)] & left) | (left & (0 - left));
    if (group == warp.mask) return;
    warp.checker->warp_parts(warp.index, group);
  }
}

// What a shuffle brings from a lane that its mask does not name, or that has exited, is undefined:
// whoever uses it is to see that. In turn it is as a float no number, which a comparison would
// miss, and what the asking lane has itself; in a turn without a period, which some launch in so
// many would always meet alike.
u32 from_a_stranger(const Warp& warp, u32 own) {
  const bool even = std::popcount(warp.block->number + warp.launch->number) % 2 == 0;
  return even ? 0x7fffdead : own;
}

void note_absent(Warp& warp, const Inst& inst, u32 lane, u32 from) {
  note_finding(warp, inst, FindingKind::absent_lane, lane, [&] {
    return fmt::format(
        "lane {} is to get the value of lane {}, which is not at this instruction: it is on "
        "another "
        "path, or has left, and what comes instead of its value is undefined",
        lane, from);
  });
}

// PTX ISA 9.0, shfl: c packs the clamp value and the segment mask.
enum class Shuffle { up, down, butterfly, index };
template <Shuffle Mode>
void run_shfl(Warp& warp, const Inst& inst) {
  check_members(warp, inst, inst.op[4]);
  u32 source[lane_count];
  std::memcpy(source, slot<u32>(warp, inst.op[1]), sizeof source);
  const u32 *b = slot<u32>(warp, inst.op[2]), *c = slot<u32>(warp, inst.op[3]);
  const u32* members = slot<u32>(warp, inst.op[4]);
  u32* out = slot<u32>(warp, inst.op[0]);
  u32 valid = 0;
  for_each_lane(warp.mask, [&](u32 lane) {
    const u32 segment = c[lane] >> 8 & 31, clamp = c[lane] & 31, by = b[lane] & 31;
    const u32 limit = (lane & segment) | (clamp & ~segment);
    u32 from = 0;
    bool inside = false;
    switch (Mode) {
      case Shuffle::up:
        from = lane - by;
        inside = static_cast<i32>(from) >= static_cast<i32>(limit);
        break;
      case Shuffle::down:
        from = lane + by;
        inside = from <= limit;
        break;
      case Shuffle::butterfly:
        from = lane ^ by;
        inside = from <= limit;
        break;
      case Shuffle::index:
        from = (lane & segment) | (by & ~segment);
        inside = from <= limit;
        break;
    }
    if (!inside) from = lane;
    out[lane] = source[from & 31];
    if (warp.checker != nullptr && (members[lane] & warp.mask & (1u << from)) == 0) {
      out[lane] = from_a_stranger(warp, source[lane]);
      if ((members[lane] >> from & 1) != 0) note_absent(warp, inst, lane, from);
    }
    valid |= u32{inside} << lane;
  });
  if (inst.op[5] != none) write_predicate(warp, inst.op[5], valid);
}
bool select_shfl(Encoder& e) {
  if (!e.has("sync") || e.operands() != 5) return false;
  const ptx::Operand& to = e.in.operands[0];
  const bool pair = to.kind == ptx::Operand::Kind::pair;
  e.out.op[0] = e.write(pair ? to.elements[0] : to, 4);
  if (pair) e.out.op[5] = e.write_predicate(to.elements[1]);
  for (std::size_t i = 1; i < 5; ++i) e.out.op[i] = e.read(i, 4);
  e.meets({4, 4, 4, 4, 4, 0});
  e.handlers(e.has("up")     ? run_shfl<Shuffle::up>
             : e.has("down") ? run_shfl<Shuffle::down>
             : e.has("bfly") ? run_shfl<Shuffle::butterfly>
                             : run_shfl<Shuffle::index>);
  return true;
}

enum class Vote { ballot, any, all, uniform };
template <Vote Mode>
void run_vote(Warp& warp, const Inst& inst) {
  check_members(warp, inst, inst.op[2]);
  const u32 value = read_predicate(warp, inst.op[1]);
  const u32* members = slot<u32>(warp, inst.op[2]);
  u32* out = Mode == Vote::ballot ? slot<u32>(warp, inst.op[0]) : nullptr;
  u32 result = 0;
  for_each_lane(warp.mask, [&](u32 lane) {
    const u32 group = members[lane] & warp.mask, yes = value & group;
    if (Mode == Vote::ballot) out[lane] = yes;
    const bool holds = Mode == Vote::any   ? yes != 0
                       : Mode == Vote::all ? yes == group
                                           : yes == 0 || yes == group;
    result |= u32{holds} << lane;
  });
  if (Mode != Vote::ballot) write_predicate(warp, inst.op[0], result);
}
bool select_vote(Encoder& e) {
  if (!e.has("sync") || e.operands() != 3) return false;
  const bool ballot = e.has("ballot");
  e.out.op[0] = e.write(0, ballot ? 4 : 0);
  e.out.op[1] = e.read_predicate(1);
  e.out.op[2] = e.read(2, 4);
  e.meets({std::uint8_t(ballot ? 4 : 0), 0, 4});
  e.handlers(ballot         ? run_vote<Vote::ballot>
             : e.has("any") ? run_vote<Vote::any>
             : e.has("all") ? run_vote<Vote::all>
                            : run_vote<Vote::uniform>);
  return true;
}

template <class T, bool All>
void run_match(Warp& warp, const Inst& inst) {
  check_members(warp, inst, inst.op[2]);
  T value[lane_count];
  std::memcpy(value, slot<T>(warp, inst.op[1]), sizeof value);
  const u32* members = slot<u32>(warp, inst.op[2]);
  u32* out = slot<u32>(warp, inst.op[0]);
  u32 agreed = 0;
  for_each_lane(warp.mask, [&](u32 lane) {
    const u32 group = members[lane] & warp.mask;
    u32 same = 0;
    for (u32 other = 0; other < lane_count; ++other)  // all of them: compared side by side
      same |= u32{value[other] == value[lane]} << other;
    same &= group;
    if (All) {
      agreed |= u32{same == group} << lane;
      same = same == group ? group : 0;
    }
    out[lane] = same;
  });
  if (inst.op[5] != none) write_predicate(warp, inst.op[5], agreed);
}
bool select_match(Encoder& e) {
  if (e.operands() != 3) return false;
  const bool wide = e.type() == ptx::Type::b64, all = e.has("all");
  const ptx::Operand& to = e.in.operands[0];
  const bool pair = to.kind == ptx::Operand::Kind::pair;
  e.out.op[0] = e.write(pair ? to.elements[0] : to, 4);
  if (pair) e.out.op[5] = e.write_predicate(to.elements[1]);
  e.out.op[1] = e.read(1, wide ? 8 : 4);
  e.out.op[2] = e.read(2, 4);
  e.meets({4, std::uint8_t(wide ? 8 : 4), 4, unused, unused, 0});
  e.handlers(all ? (wide ? run_match<u64, true> : run_match<u32, true>)
                 : (wide ? run_match<u64, false> : run_match<u32, false>));
  return true;
}

struct Sum {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<u32>(a) + static_cast<u32>(b));
  }
};
struct Least {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Most {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct And {
  u32 operator()(u32 a, u32 b) const { return a & b; }
};
struct Or {
  u32 operator()(u32 a, u32 b) const { return a | b; }
};
struct Xor {
  u32 operator()(u32 a, u32 b) const { return a ^ b; }
};
template <class F, class T>
void run_redux(Warp& warp, const Inst& inst) {
  check_members(warp, inst, inst.op[2]);
  T value[lane_count];
  std::memcpy(value, slot<T>(warp, inst.op[1]), sizeof value);
  const u32* members = slot<u32>(warp, inst.op[2]);
  T* out = slot<T>(warp, inst.op[0]);
  for_each_lane(warp.mask, [&](u32 lane) {
    const u32 group = (members[lane] & warp.mask) | 1u << lane;
    T result = value[std::countr_zero(group)];
    for_each_lane(group & (group - 1), [&](u32 other) { result = F()(result, value[other]); });
    out[lane] = result;
  });
}
bool select_redux(Encoder& e) {
  const bool sign = e.type() == ptx::Type::s32;
  if (e.operands() != 3 || e.type() == ptx::Type::f32) return false;
  e.out.op[0] = e.write(0, 4);
  e.out.op[1] = e.read(1, 4);
  e.out.op[2] = e.read(2, 4);
  e.meets({4, 4, 4});
  if (e.has("add"))
    e.handlers(run_redux<Sum, u32>);
  else if (e.has("min"))
    e.handlers(sign ? run_redux<Least, i32> : run_redux<Least, u32>);
  else if (e.has("max"))
    e.handlers(sign ? run_redux<Most, i32> : run_redux<Most, u32>);
  else
    e.handlers(e.has("and")  ? run_redux<And, u32>
               : e.has("or") ? run_redux<Or, u32>
                             : run_redux<Xor, u32>);
  return true;
}

void run_activemask(Warp& warp, const Inst& inst) {
  u32* out = slot<u32>(warp, inst.op[0]);
  const bool sure = warp.checker == nullptr || is_of_cub(warp, inst);
  for_each_lane(warp.mask, [&](u32 lane) {
    out[lane] = sure ? warp.mask : warp.checker->together_with(warp.index, lane, warp.mask);
    if (out[lane] == warp.mask) return;
    note_finding(warp, inst, FindingKind::unsure_lanes, lane, [&] {
      return fmt::format(
          "__activemask() tells which lanes happen to be here, and of these {} only {} are sure to "
          "be: no __syncwarp() has brought them together since they took different ways",
          std::popcount(warp.mask), std::popcount(out[lane]));
    });
  });
}
bool select_activemask(Encoder& e) {
  e.out.op[0] = e.write(0, 4);
  e.handlers(run_activemask);
  return true;
}

void run_warp_barrier(Warp& warp, const Inst& inst) {
  check_members(warp, inst, inst.op[0]);
  if (warp.checker != nullptr)
    warp.checker->warp_barrier(warp.index, warp.mask, slot<u32>(warp, inst.op[0]));
}
bool select_warp_barrier(Encoder& e) {
  if (!e.has("warp")) return false;
  e.out.op[0] = e.read(0, 4);
  e.meets({4});
  e.handlers(run_warp_barrier);
  return true;
}

void run_elect(Warp& warp, const Inst& inst) {
  check_members(warp, inst, inst.op[1]);
  const u32* members = slot<u32>(warp, inst.op[1]);
  u32* out = slot<u32>(warp, inst.op[0]);
  u32 leaders = 0;  // one of each group that comes here: tiles come all at once
  for_each_lane(warp.mask, [&](u32 lane) {
    const u32 group = (members[lane] & warp.mask) | 1u << lane;
    out[lane] = static_cast<u32>(std::countr_zero(group));
    leaders |= u32{out[lane] == lane} << lane;
  });
  write_predicate(warp, inst.op[5], leaders);
}
bool select_elect(Encoder& e) {
  if (e.operands() != 2 || e.in.operands[0].kind != ptx::Operand::Kind::pair) return false;
  e.out.op[0] = e.write(e.in.operands[0].elements[0], 4);
  e.out.op[5] = e.write_predicate(e.in.operands[0].elements[1]);
  e.out.op[1] = e.read(1, 4);
  e.meets({4, 4, unused, unused, unused, 0});
  e.handlers(run_elect);
  return true;
}

constexpr std::array<Opcode, 7> table{{
    {"shfl", select_shfl, ".sync .up .down .bfly .idx, .b32"},
    {"vote", select_vote, ".sync .ballot .any .all .uni"},
    {"match", select_match, ".any .all .sync, .b32 .b64"},
    {"redux", select_redux, ".sync .add .min .max .and .or .xor, 32-bit integers"},
    {"activemask", select_activemask, ".b32"},
    {"bar", select_warp_barrier, ".warp.sync"},
    {"elect", select_elect, ".sync"},
}};

}  // namespace

std::span<const Opcode> warp_opcodes() { return table; }

}  // namespace klab::sim
