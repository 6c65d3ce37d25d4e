// Moves, packing and unpacking, address space conversions, clocks.
#include <array>

#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/access/memory_access.hpp"
#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

namespace {

struct Copy {
  template <class T>
  T operator()(T a) const {
    return a;
  }
};

void run_move_predicate(Warp& warp, const Inst& inst) {
  write_predicate(warp, inst.op[0], read_predicate(warp, inst.op[1]));
}

// Of a special register: whether it is so for a lane.
void run_move_flag(Warp& warp, const Inst& inst) {
  const u32* flag = slot<u32>(warp, inst.op[1]);
  u32 bits = 0;
  for_each_lane(warp.mask, [&](u32 lane) { bits |= flag[lane] != 0 ? 1u << lane : 0; });
  write_predicate(warp, inst.op[0], bits);
}

// Between one register and 2 or 4 parts of it; imm: the bytes of a part.
template <bool Pack>
void run_parts(Warp& warp, const Inst& inst) {
  const auto part = static_cast<u32>(inst.imm);
  const u32 count = inst.op[5];
  for_each_lane(warp.mask, [&](u32 lane) {
    const auto whole = [&](u32 i) -> std::byte* {
      return slot<std::byte>(warp, inst.op[0]) + (lane * count + i) * part;
    };
    for (u32 i = 0; i < count; ++i) {
      if (inst.op[1 + i] == none) continue;
      std::byte* single = slot<std::byte>(warp, inst.op[1 + i]) + lane * part;
      if (Pack)
        std::memcpy(whole(i), single, part);
      else
        std::memcpy(single, whole(i), part);
    }
  });
}
// The common case, two words of a 64-bit register; plain loops that vectorize.
template <bool Pack, bool Masked>
void run_halves(Warp& warp, const Inst& inst) {
  u64* whole = slot<u64>(warp, inst.op[0]);
  u32 *low = slot<u32>(warp, inst.op[1]), *high = slot<u32>(warp, inst.op[2]);
  const u32* mask = warp.lane_mask;
#pragma GCC ivdep
  for (int lane = 0; lane < lane_count; ++lane) {
    if constexpr (Pack) {
      const u64 value = u64{high[lane]} << 32 | low[lane];
      whole[lane] = !Masked || mask[lane] != 0 ? value : whole[lane];
    } else {
      const u64 value = whole[lane];
      low[lane] = !Masked || mask[lane] != 0 ? static_cast<u32>(value) : low[lane];
      high[lane] = !Masked || mask[lane] != 0 ? static_cast<u32>(value >> 32) : high[lane];
    }
  }
}

bool bind_parts(Encoder& e, bool pack) {
  const ptx::Operand& parts = e.in.operands[pack ? 1 : 0];
  const auto count = static_cast<u32>(parts.elements.size());
  const u32 bytes = ptx::bytes_of(e.type());
  if ((count != 2 && count != 4) || bytes / count < 2) return false;
  const u32 part = bytes / count;
  e.out.op[0] = pack ? e.write(0, bytes) : e.read(1, bytes);
  for (u32 i = 0; i < count; ++i)
    e.out.op[1 + i] = pack ? e.read(parts.elements[i], part) : e.write(parts.elements[i], part);
  if (count == 2 && part == 4) {
    if (pack)
      e.handlers(run_halves<true, false>, run_halves<true, true>);
    else
      e.handlers(run_halves<false, false>, run_halves<false, true>);
    return true;
  }
  e.out.op[5] = count;
  e.out.imm = part;
  e.handlers(pack ? run_parts<true> : run_parts<false>);
  return true;
}

enum class Clock { cycles, nanoseconds };
template <Clock C, class T, int Shift>
void run_clock(Warp& warp, const Inst& inst) {
  // Cycles are instructions of this warp: the simulator has no time. The global timer is the
  // host's, or counts as events do.
  u64 now = warp.clock;
  if (C == Clock::nanoseconds)
    now = warp.launch->standstill.now(warp.clock);
  else
    warp.clock += 1;
  T* out = slot<T>(warp, inst.op[0]);
  for_each_lane(warp.mask, [&](u32 lane) { out[lane] = static_cast<T>(now >> Shift); });
}
Handler clock_handler(std::string_view name) {
  if (name == "%clock" || name == "%clock_lo") return run_clock<Clock::cycles, u32, 0>;
  if (name == "%clock_hi") return run_clock<Clock::cycles, u32, 32>;
  if (name == "%clock64") return run_clock<Clock::cycles, u64, 0>;
  if (name == "%globaltimer") return run_clock<Clock::nanoseconds, u64, 0>;
  if (name == "%globaltimer_lo") return run_clock<Clock::nanoseconds, u32, 0>;
  if (name == "%globaltimer_hi") return run_clock<Clock::nanoseconds, u32, 32>;
  return nullptr;
}

bool select_mov(Encoder& e) {
  if (e.operands() != 2) return false;
  const ptx::Operand &to = e.in.operands[0], &from = e.in.operands[1];
  if (e.type() == ptx::Type::pred) {
    const bool special = from.kind == ptx::Operand::Kind::name && from.reg < 0;
    e.handlers(special ? run_move_flag : run_move_predicate);
    e.out.op[0] = e.write_predicate(to);
    e.out.op[1] = special ? e.read(1, 4) : e.read_predicate(1);
    return true;
  }
  if (to.kind == ptx::Operand::Kind::vector) return bind_parts(e, false);
  if (from.kind == ptx::Operand::Kind::vector) return bind_parts(e, true);
  const u32 bytes = ptx::bytes_of(e.type());
  if (const Handler clock = from.reg < 0 ? clock_handler(from.name) : nullptr) {
    if (bytes != (from.name == "%clock64" || from.name == "%globaltimer" ? 8u : 4u)) return false;
    e.out.op[0] = e.write(0, bytes);
    e.handlers(clock);
    return true;
  }
  if (bytes == 2) return emit<Copy, u16, u16>(e);
  if (bytes == 16) return emit<Copy, std::array<u64, 2>, std::array<u64, 2>>(e);
  return bytes == 4 ? emit<Copy, u32, u32>(e) : bytes == 8 && emit<Copy, u64, u64>(e);
}

struct AddWindow {
  u64 operator()(u64 a, u64 window) const { return a + window; }
};
struct SubtractWindow {
  u64 operator()(u64 a, u64 window) const { return a - window; }
};
bool select_cvta(Encoder& e) {
  if (ptx::bytes_of(e.type()) != 8) return false;
  const bool shared = e.has("shared") || e.has("shared::cta") || e.has("shared::cluster");
  if (!shared && !e.has("local")) return emit<Copy, u64, u64>(e);
  if (e.has("to"))
    e.handlers(map_lanes<false, SubtractWindow, u64, u64, u64>,
               map_lanes<true, SubtractWindow, u64, u64, u64>);
  else
    e.handlers(map_lanes<false, AddWindow, u64, u64, u64>,
               map_lanes<true, AddWindow, u64, u64, u64>);
  e.out.op[0] = e.write(0, 8);
  e.out.op[1] = e.read(1, 8);
  e.out.op[2] = e.constant(shared ? shared_window : local_window, 8);
  return true;
}

template <Window W>
void run_isspacep(Warp& warp, const Inst& inst) {
  const u64* a = slot<u64>(warp, inst.op[1]);
  u32 out = 0;
  for (u32 lane = 0; lane < lane_count; ++lane) out |= u32{window_of(a[lane]) == W} << lane;
  write_predicate(warp, inst.op[0], out);
}
bool select_isspacep(Encoder& e) {
  e.handlers(e.has("global")  ? run_isspacep<Window::global>
             : e.has("local") ? run_isspacep<Window::local>
             : e.has("param") ? run_isspacep<Window::parameter>
                              : run_isspacep<Window::shared>);
  e.out.op[0] = e.write(0, 0);
  e.out.op[1] = e.read(1, 8);
  return true;
}

// The address of the same shared variable in another block of the cluster.
template <class T, bool Generic>
void run_mapa(Warp& warp, const Inst& inst) {
  const T* a = slot<T>(warp, inst.op[1]);
  const u32* rank = slot<u32>(warp, inst.op[2]);
  T* out = slot<T>(warp, inst.op[0]);
  for_each_lane(warp.mask, [&](u32 lane) {
    const u64 offset = a[lane] & ((1u << cluster_rank_shift) - 1);
    out[lane] = static_cast<T>((Generic ? shared_window : 0) +
                               (u64{rank[lane] + 1} << cluster_rank_shift) + offset);
  });
}
bool select_mapa(Encoder& e) {
  const bool shared = e.has("shared::cluster");
  const u32 bytes = ptx::bytes_of(e.type());
  if (bytes == 4 && !shared) return false;
  e.handlers(bytes == 4 ? run_mapa<u32, false>
             : shared   ? run_mapa<u64, false>
                        : run_mapa<u64, true>);
  e.out.op[0] = e.write(0, bytes);
  e.out.op[1] = e.read(1, bytes);
  e.out.op[2] = e.read(2, 4);
  return true;
}
template <class T>
void run_getctarank(Warp& warp, const Inst& inst) {
  const T* a = slot<T>(warp, inst.op[1]);
  u32* out = slot<u32>(warp, inst.op[0]);
  for_each_lane(warp.mask, [&](u32 lane) {
    const u32 above = static_cast<u32>(a[lane]) >> cluster_rank_shift;
    out[lane] = above > 0 ? above - 1 : warp.block->rank;
  });
}
bool select_getctarank(Encoder& e) {
  const u32 bytes = ptx::bytes_of(e.type());
  e.handlers(bytes == 4 ? run_getctarank<u32> : run_getctarank<u64>);
  e.out.op[0] = e.write(0, 4);
  e.out.op[1] = e.read(1, bytes);
  return true;
}

constexpr std::array<Opcode, 5> table{{
    {"mov", select_mov, ".pred .b16-.b128 .f32 .f64, packing and unpacking, %clock %globaltimer"},
    {"cvta", select_cvta, "all spaces, 64 bits"},
    {"isspacep", select_isspacep, "all spaces"},
    {"mapa", select_mapa, "generic and .shared::cluster"},
    {"getctarank", select_getctarank, "generic and .shared::cluster"},
}};

}  // namespace

std::span<const Opcode> move_opcodes() { return table; }

}  // namespace klab::sim
