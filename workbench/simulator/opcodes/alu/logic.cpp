// Logic, shifts, bit fields and byte permutation, on registers and on predicates.
#include <array>

#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

namespace {

struct And {
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b) const {
    return a | b;
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b) const {
    return a ^ b;
  }
};
struct Not {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(~a);
  }
};
struct IsZero {
  template <class T>
  T operator()(T a) const {
    return a == 0;
  }
};
// Shift amounts beyond the width shift everything out; PTX ISA 9.0, shl and shr.
struct ShiftLeft {
  template <class T>
  T operator()(T a, u32 by) const {
    return by >= 8 * sizeof(T) ? T{0} : static_cast<T>(a << by);
  }
};
struct ShiftRight {
  template <class T>
  T operator()(T a, u32 by) const {
    constexpr u32 bits = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (by >= bits ? bits - 1 : by));
    return by >= bits ? T{0} : static_cast<T>(a >> by);
  }
};
template <bool Left, bool Clamp>
struct FunnelShift {
  u32 operator()(u32 low, u32 high, u32 by) const {
    by = Clamp ? (by < 32 ? by : 32) : by & 31;
    const u64 both = u64{high} << 32 | low;
    return Left ? static_cast<u32>((both << by) >> 32) : static_cast<u32>(both >> by);
  }
};
struct InsertField {
  template <class T>
  T operator()(T from, T into, u32 position_length) const {
    constexpr u32 bits = 8 * sizeof(T);
    const u32 position = position_length & 0xff, length = position_length >> 8;
    if (length == 0 || position >= bits) return into;
    const T ones = length >= bits ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    const T field = static_cast<T>(ones << position);
    return static_cast<T>((into & ~field) | (static_cast<T>(from << position) & field));
  }
};
struct LookUpThree {
  u32 operator()(u32 a, u32 b, u32 c, u32 table) const {
    u32 out = 0;
    for (u32 k = 0; k < 8; ++k)
      if (table >> k & 1) out |= ((k & 4) ? a : ~a) & ((k & 2) ? b : ~b) & ((k & 1) ? c : ~c);
    return out;
  }
};

template <bool Masked>
void run_lop3(Warp& warp, const Inst& inst) {
  const u32 *a = slot<u32>(warp, inst.op[1]), *b = slot<u32>(warp, inst.op[2]),
            *c = slot<u32>(warp, inst.op[3]);
  u32* out = slot<u32>(warp, inst.op[0]);
  const auto table = static_cast<u32>(inst.imm);
  for (int lane = 0; lane < lane_count; ++lane) {
    const u32 value = LookUpThree()(a[lane], b[lane], c[lane], table);
    out[lane] = !Masked || warp.lane_mask[lane] != 0 ? value : out[lane];
  }
}

// lop3.or, lop3.and: whether any bit of the result is set, together with another predicate (PTX ISA
// 9.0, lop3). imm: the table, and what to do; op[4]: the predicate written, op[5]: the one read.
constexpr u32 lop3_joins_by_and = 1u << 8;
template <bool Masked>
void run_lop3_predicate(Warp& warp, const Inst& inst) {
  const u32 *a = slot<u32>(warp, inst.op[1]), *b = slot<u32>(warp, inst.op[2]),
            *c = slot<u32>(warp, inst.op[3]);
  const auto table = static_cast<u32>(inst.imm);
  u32 any = 0;
  for (u32 lane = 0; lane < lane_count; ++lane)
    any |= u32{LookUpThree()(a[lane], b[lane], c[lane], table) != 0} << lane;
  const u32 other = read_predicate(warp, inst.op[5]);
  run_lop3<Masked>(warp, inst);
  write_predicate(warp, inst.op[4], (table & lop3_joins_by_and) != 0 ? any & other : any | other);
}

// prmt: bytes of {b, a} picked by four nibbles; a nibble's top bit replicates the byte's sign.
u32 pick_byte(u64 both, u32 selector) {
  const u32 byte = static_cast<u32>(both >> (8 * (selector & 7))) & 0xff;
  return (selector & 8) != 0 ? (byte & 0x80 ? 0xff : 0) : byte;
}
struct Permute {
  u32 operator()(u32 a, u32 b, u32 selector) const {
    const u64 both = u64{b} << 32 | a;
    u32 out = 0;
    for (u32 i = 0; i < 4; ++i) out |= pick_byte(both, selector >> (4 * i) & 15) << (8 * i);
    return out;
  }
};
enum class PermuteMode { f4e, b4e, rc8, ecl, ecr, rc16 };
template <PermuteMode Mode>
struct PermuteByMode {
  u32 operator()(u32 a, u32 b, u32 selector) const {
    const u64 both = u64{b} << 32 | a;
    const u32 s = selector & 3;
    u32 out = 0;
    for (u32 i = 0; i < 4; ++i) {
      u32 index = 0;
      switch (Mode) {
        case PermuteMode::f4e:
          index = i + s;
          break;
        case PermuteMode::b4e:
          index = (s + 8 - i) & 7;
          break;
        case PermuteMode::rc8:
          index = s;
          break;
        case PermuteMode::ecl:
          index = i < s ? s : i;
          break;
        case PermuteMode::ecr:
          index = i < s ? i : s;
          break;
        case PermuteMode::rc16:
          index = (s & 1) * 2 + (i & 1);
          break;
      }
      out |= (static_cast<u32>(both >> (8 * index)) & 0xff) << (8 * i);
    }
    return out;
  }
};

template <class F>
void run_predicate(Warp& warp, const Inst& inst) {
  write_predicate(warp, inst.op[0],
                  F()(read_predicate(warp, inst.op[1]), read_predicate(warp, inst.op[2])));
}

// PTX ISA 9.0, bmsk: `width` ones from `position` up.
template <bool Clamp>
struct BitMask {
  u32 operator()(u32 position, u32 width) const {
    if (Clamp && position >= 32) return 0;
    const u32 first = position & 31, count = width & 31;
    const bool to_the_top = first + count >= 32 || (Clamp && width >= 32);
    const u32 below = ~0u << first;
    return to_the_top ? below : below & ~(~0u << (first + count));
  }
};
// szext: the low `width` bits, extended by zeros or by their sign.
template <bool Signed, bool Clamp>
struct ExtendField {
  u32 operator()(u32 value, u32 width) const {
    if (Clamp && width >= 32) return value;
    const u32 bits = width & 31, above = ~0u << bits;
    const bool sign = Signed && bits > 0 && (value >> (bits - 1) & 1) != 0;
    return sign ? value | above : value & ~above;
  }
};
// fns: the |n|-th set bit from `base` on, upwards or downwards; all ones if there is none.
struct FindNthSet {
  static constexpr bool per_lane = true;
  u32 operator()(u32 mask, u32 base, i32 n) const {
    if (n == 0) return base < 32 && (mask >> base & 1) != 0 ? base : ~0u;
    const int step = n > 0 ? 1 : -1;
    u32 left = n > 0 ? static_cast<u32>(n) : 0u - static_cast<u32>(n);
    for (i64 at = base; at >= 0 && at < 32; at += step)
      if ((mask >> at & 1) != 0 && --left == 0) return static_cast<u32>(at);
    return ~0u;
  }
};
bool select_bmsk(Encoder& e) {
  return e.has("clamp") ? emit<BitMask<true>, u32, u32, u32>(e)
                        : emit<BitMask<false>, u32, u32, u32>(e);
}
bool select_szext(Encoder& e) {
  if (e.type() == ptx::Type::s32)
    return e.has("clamp") ? emit<ExtendField<true, true>, u32, u32, u32>(e)
                          : emit<ExtendField<true, false>, u32, u32, u32>(e);
  return e.has("clamp") ? emit<ExtendField<false, true>, u32, u32, u32>(e)
                        : emit<ExtendField<false, false>, u32, u32, u32>(e);
}
bool select_fns(Encoder& e) { return emit<FindNthSet, u32, u32, u32, i32>(e); }

template <class F>
bool binary(Encoder& e) {
  if (e.type() == ptx::Type::pred) {
    e.handlers(run_predicate<F>);
    if (e.operands() < 3) return e.fail("A predicate operation has too few operands.");
    e.out.op[0] = e.write_predicate(e.in.operands[0]);
    e.out.op[1] = e.read_predicate(1);
    e.out.op[2] = e.read_predicate(2);
    return true;
  }
  return with_bits(e.type(), [&](auto t) {
    using T = decltype(t);
    return emit<F, T, T, T>(e);
  });
}
bool select_not(Encoder& e) {
  if (e.type() == ptx::Type::pred) {
    if (e.operands() < 2) return e.fail("A predicate operation has too few operands.");
    e.handlers(run_predicate<And>);
    e.out.op[0] = e.write_predicate(e.in.operands[0]);
    e.out.op[1] = e.out.op[2] = e.read_predicate(1) ^ 1;
    return true;
  }
  return with_bits(e.type(), [&](auto t) { return emit<Not, decltype(t), decltype(t)>(e); });
}
bool select_cnot(Encoder& e) {
  return with_bits(e.type(), [&](auto t) { return emit<IsZero, decltype(t), decltype(t)>(e); });
}
bool select_shl(Encoder& e) {
  return with_bits(e.type(),
                   [&](auto t) { return emit<ShiftLeft, decltype(t), decltype(t), u32>(e); });
}
bool select_shr(Encoder& e) {
  return with_integer(e.type(),
                      [&](auto t) { return emit<ShiftRight, decltype(t), decltype(t), u32>(e); });
}
bool select_shf(Encoder& e) {
  if (e.has("l"))
    return e.has("clamp") ? emit<FunnelShift<true, true>, u32, u32, u32, u32>(e)
                          : emit<FunnelShift<true, false>, u32, u32, u32, u32>(e);
  return e.has("clamp") ? emit<FunnelShift<false, true>, u32, u32, u32, u32>(e)
                        : emit<FunnelShift<false, false>, u32, u32, u32, u32>(e);
}
template <class T, bool Masked>
void run_bfi(Warp& warp, const Inst& inst) {
  const T *from = slot<T>(warp, inst.op[1]), *into = slot<T>(warp, inst.op[2]);
  const u32 *position = slot<u32>(warp, inst.op[3]), *length = slot<u32>(warp, inst.op[4]);
  T* out = slot<T>(warp, inst.op[0]);
  for (int lane = 0; lane < lane_count; ++lane) {
    const T value =
        InsertField()(from[lane], into[lane], (position[lane] & 0xff) | (length[lane] & 0xff) << 8);
    out[lane] = !Masked || warp.lane_mask[lane] != 0 ? value : out[lane];
  }
}
bool select_bfi(Encoder& e) {
  const u32 bytes = ptx::bytes_of(e.type());
  if (bytes == 8) {
    e.handlers(run_bfi<u64, false>, run_bfi<u64, true>);
  } else {
    e.handlers(run_bfi<u32, false>, run_bfi<u32, true>);
  }
  e.out.op[0] = e.write(0, bytes);
  for (std::size_t i = 1; i < 5; ++i) e.out.op[i] = e.read(i, i < 3 ? bytes : 4);
  return true;
}
bool select_lop3(Encoder& e) {
  const bool joins = e.has("or") || e.has("and");
  if (e.operands() != (joins ? 6u : 5u) || e.in.operands[4].kind != ptx::Operand::Kind::number)
    return false;
  for (std::size_t i = 1; i < 4; ++i) e.out.op[i] = e.read(i, 4);
  e.out.imm = static_cast<i64>(e.in.operands[4].number.bits & 0xff);
  if (!joins) {
    e.handlers(run_lop3<false>, run_lop3<true>);
    e.out.op[0] = e.write(0, 4);
    return true;
  }
  const ptx::Operand& both = e.in.operands[0];
  if (both.kind != ptx::Operand::Kind::pair) return false;
  e.handlers(run_lop3_predicate<false>, run_lop3_predicate<true>);
  e.out.op[0] = e.write(both.elements[0], 4);
  e.out.op[4] = e.write_predicate(both.elements[1]);
  e.out.op[5] = e.read_predicate(5);
  if (e.has("and")) e.out.imm |= lop3_joins_by_and;
  return true;
}
bool select_prmt(Encoder& e) {
  using M = PermuteMode;
  if (e.has("f4e")) return emit<PermuteByMode<M::f4e>, u32, u32, u32, u32>(e);
  if (e.has("b4e")) return emit<PermuteByMode<M::b4e>, u32, u32, u32, u32>(e);
  if (e.has("rc8")) return emit<PermuteByMode<M::rc8>, u32, u32, u32, u32>(e);
  if (e.has("ecl")) return emit<PermuteByMode<M::ecl>, u32, u32, u32, u32>(e);
  if (e.has("ecr")) return emit<PermuteByMode<M::ecr>, u32, u32, u32, u32>(e);
  if (e.has("rc16")) return emit<PermuteByMode<M::rc16>, u32, u32, u32, u32>(e);
  return emit<Permute, u32, u32, u32, u32>(e);
}

constexpr std::array<Opcode, 14> table{{
    {"and", binary<And>, ".pred .b16 .b32 .b64"},
    {"or", binary<Or>, ".pred .b16 .b32 .b64"},
    {"xor", binary<Xor>, ".pred .b16 .b32 .b64"},
    {"not", select_not, ".pred .b16 .b32 .b64"},
    {"cnot", select_cnot, ".b16 .b32 .b64"},
    {"shl", select_shl, ".b16 .b32 .b64"},
    {"shr", select_shr, ".b16-.u64"},
    {"shf", select_shf, ".l .r, .clamp .wrap, .b32"},
    {"bfi", select_bfi, ".b32 .b64"},
    {"lop3", select_lop3, ".b32; .or .and with predicates"},
    {"bmsk", select_bmsk, ".clamp .wrap, .b32"},
    {"szext", select_szext, ".clamp .wrap, .s32 .u32"},
    {"fns", select_fns, ".b32"},
    {"prmt", select_prmt, ".b32, all modes"},
}};

}  // namespace

std::span<const Opcode> logic_opcodes() { return table; }

}  // namespace klab::sim
