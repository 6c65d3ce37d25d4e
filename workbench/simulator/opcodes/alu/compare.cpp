// Comparisons and selections.
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <array>
#include <cmath>
#include <optional>

#include "simulator/opcodes/float_functions.hpp"
#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

namespace {

// The base comparisons; the others are these with operands exchanged or the result complemented.
// All are false if an operand is NaN.
struct Equal {
  template <class T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};
struct Unequal {
  template <class T>
  bool operator()(T a, T b) const {
    return a < b || b < a;
  }
};
struct Less {
  template <class T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};
struct LessEqual {
  template <class T>
  bool operator()(T a, T b) const {
    return a <= b;
  }
};
struct BothNumbers {
  template <class T>
  bool operator()(T a, T b) const {
    return a == a && b == b;
  }
};

template <class S>
struct Small {  // a half or bfloat16, compared by value
  u16 bits;
  friend bool operator==(Small a, Small b) { return S{a.bits}.value() == S{b.bits}.value(); }
  friend bool operator<(Small a, Small b) { return S{a.bits}.value() < S{b.bits}.value(); }
  friend bool operator<=(Small a, Small b) { return S{a.bits}.value() <= S{b.bits}.value(); }
};

u32 pack_lanes(const u8* bytes) {
#if defined(__AVX2__)
  return static_cast<u32>(
      _mm256_movemask_epi8(_mm256_load_si256(reinterpret_cast<const __m256i*>(bytes))));
#else
  u32 out = 0;
  for (int lane = 0; lane < lane_count; ++lane) out |= static_cast<u32>(bytes[lane] >> 7) << lane;
  return out;
#endif
}

// A bit per lane. Bit 1 of the second value is for the upper halves of packed operands.
struct Compared {
  u32 low, high;
};
using Compare = Compared (*)(Warp&, const Inst&);

template <class F, class T>
Compared compare_lanes(Warp& warp, const Inst& inst) {
  const T *a = slot<T>(warp, inst.op[1]), *b = slot<T>(warp, inst.op[2]);
  alignas(32) u8 bytes[lane_count];
#pragma GCC ivdep
  for (int lane = 0; lane < lane_count; ++lane) bytes[lane] = F()(a[lane], b[lane]) ? 0xff : 0;
  const u32 result = pack_lanes(bytes);
  return {result, ~result};
}
template <class F>
Compared compare_flushed(Warp& warp, const Inst& inst) {
  const float *a = slot<float>(warp, inst.op[1]), *b = slot<float>(warp, inst.op[2]);
  u32 result = 0;
  for (u32 lane = 0; lane < lane_count; ++lane)
    result |= u32{F()(flush(a[lane]), flush(b[lane]))} << lane;
  return {result, ~result};
}
template <class F, class S>
Compared compare_packed(Warp& warp, const Inst& inst) {
  const u32 *a = slot<u32>(warp, inst.op[1]), *b = slot<u32>(warp, inst.op[2]);
  Compared out{0, 0};
  for (u32 lane = 0; lane < lane_count; ++lane) {
    using T = Small<S>;
    out.low |= u32{F()(T{static_cast<u16>(a[lane])}, T{static_cast<u16>(b[lane])})} << lane;
    out.high |= u32{F()(T{static_cast<u16>(a[lane] >> 16)}, T{static_cast<u16>(b[lane] >> 16)})}
                << lane;
  }
  return out;
}

template <class F>
Compare compare_for(ptx::Type type, bool ftz) {
  using ptx::Type;
  switch (type) {
    case Type::f32:
      return ftz ? compare_flushed<F> : compare_lanes<F, float>;
    case Type::f64:
      return compare_lanes<F, double>;
    case Type::f16:
      return compare_lanes<F, Small<Half>>;
    case Type::bf16:
      return compare_lanes<F, Small<Bfloat>>;
    case Type::f16x2:
      return compare_packed<F, Half>;
    case Type::bf16x2:
      return compare_packed<F, Bfloat>;
    default:
      break;
  }
  Compare out = nullptr;
  with_integer(type, [&](auto t) { return out = compare_lanes<F, decltype(t)>, true; });
  return out;
}

// What the name of a comparison asks for.
enum class Base { equal, unequal, less, less_equal, both_numbers };
struct Comparison {
  std::string_view name;
  Base base;
  bool exchanged, complemented;
};
constexpr std::array<Comparison, 18> comparisons{{
    {"eq", Base::equal, false, false},
    {"ne", Base::unequal, false, false},
    {"lt", Base::less, false, false},
    {"lo", Base::less, false, false},
    {"le", Base::less_equal, false, false},
    {"ls", Base::less_equal, false, false},
    {"gt", Base::less, true, false},
    {"hi", Base::less, true, false},
    {"ge", Base::less_equal, true, false},
    {"hs", Base::less_equal, true, false},
    {"equ", Base::unequal, false, true},
    {"neu", Base::equal, false, true},
    {"ltu", Base::less_equal, true, true},
    {"leu", Base::less, true, true},
    {"gtu", Base::less_equal, false, true},
    {"geu", Base::less, false, true},
    {"num", Base::both_numbers, false, false},
    {"nan", Base::both_numbers, false, true},
}};

// Binds operands 1 and 2 and puts the comparison into imm, its complement into bit 2 of op[5].
bool bind_comparison(Encoder& e, ptx::Type type) {
  for (const Comparison& c : comparisons) {
    if (c.name != e.in.parts[1]) continue;
    const bool ftz = e.has("ftz");
    const Compare compare = c.base == Base::equal        ? compare_for<Equal>(type, ftz)
                            : c.base == Base::unequal    ? compare_for<Unequal>(type, ftz)
                            : c.base == Base::less       ? compare_for<Less>(type, ftz)
                            : c.base == Base::less_equal ? compare_for<LessEqual>(type, ftz)
                                                         : compare_for<BothNumbers>(type, ftz);
    if (compare == nullptr) return false;
    e.out.imm = reinterpret_cast<i64>(compare);
    e.out.op[5] = c.complemented ? 4 : 0;
    e.out.op[c.exchanged ? 2 : 1] = e.read(1, ptx::bytes_of(type));
    e.out.op[c.exchanged ? 1 : 2] = e.read(2, ptx::bytes_of(type));
    return true;
  }
  return false;
}
Compared compare(Warp& warp, const Inst& inst) {
  Compared out = reinterpret_cast<Compare>(inst.imm)(warp, inst);
  if ((inst.op[5] & 4) != 0) out = {~out.low, ~out.high};
  return out;
}

// With the predicate c, as the low bits of op[5] say.
u32 combine(Warp& warp, const Inst& inst, u32 value, u32 c) {
  switch (inst.op[5] & 3) {
    case 1:
      return value & read_predicate(warp, c);
    case 2:
      return value | read_predicate(warp, c);
    case 3:
      return value ^ read_predicate(warp, c);
    default:
      return value;
  }
}
// setp: op[0] = p, op[4] = q, op[3] = c. q is the complement of p, of packed operands the upper
// halves' result.
void run_setp(Warp& warp, const Inst& inst) {
  const Compared result = compare(warp, inst);
  const u32 p = combine(warp, inst, result.low, inst.op[3]);
  if (inst.op[4] != none)
    write_predicate(warp, inst.op[4], combine(warp, inst, result.high, inst.op[3]));
  write_predicate(warp, inst.op[0], p);
}

bool select_setp(Encoder& e) {
  if (e.in.parts.size() < 3 || e.operands() < 3 || !bind_comparison(e, e.type())) return false;
  const ptx::Operand& destination = e.in.operands[0];
  if (destination.kind == ptx::Operand::Kind::pair) {
    e.out.op[0] = e.write_predicate(destination.elements[0]);
    e.out.op[4] = e.write_predicate(destination.elements[1]);
  } else {
    e.out.op[0] = e.write_predicate(destination);
  }
  if (e.operands() > 3) {
    e.out.op[3] = e.read_predicate(3);
    e.out.op[5] |= e.has("and") ? 1 : e.has("or") ? 2 : 3;
  }
  e.handlers(run_setp);
  return true;
}

// set: the value for "true" is in op[3], the predicate to combine with in op[4]; of packed results
// each half on its own.
template <class T, bool Packed>
void run_set(Warp& warp, const Inst& inst) {
  const Compared compared = compare(warp, inst);
  const u32 below = combine(warp, inst, compared.low, inst.op[4]);
  const u32 above = combine(warp, inst, compared.high, inst.op[4]);
  T* out = slot<T>(warp, inst.op[0]);
  const u32 yes = inst.op[3];
  for_each_lane(warp.mask, [&](u32 lane) {
    const bool low = (below >> lane & 1) != 0, high = (above >> lane & 1) != 0;
    const u32 value =
        Packed ? (low ? yes & 0xffff : 0) | (high ? yes & 0xffff0000 : 0) : (low ? yes : 0);
    out[lane] = static_cast<T>(value);
  });
}
// What "true" is in a type that set writes; nothing for other types.
std::optional<u32> value_of_true(ptx::Type type) {
  using ptx::Type;
  switch (type) {
    case Type::u16:
    case Type::s16:
    case Type::u32:
    case Type::s32:
      return ~0u;
    case Type::f32:
      return std::bit_cast<u32>(1.f);
    case Type::f16:
    case Type::f16x2:
      return 0x3c003c00;
    case Type::bf16:
    case Type::bf16x2:
      return 0x3f803f80;
    default:
      return std::nullopt;
  }
}
bool select_set(Encoder& e) {
  const ptx::Type from = e.type(0), to = e.type(1);
  const bool packed = from == ptx::Type::f16x2 || from == ptx::Type::bf16x2;
  const bool packs = to == ptx::Type::f16x2 || to == ptx::Type::bf16x2;
  const auto yes = value_of_true(to);
  const u32 bytes = ptx::bytes_of(to);
  if (e.in.parts.size() < 4 || e.operands() < 3 || !yes || (packs && to != from)) return false;
  if ((packed && bytes != 4) || (packed && to == ptx::Type::f32)) return false;
  if (!bind_comparison(e, from)) return false;
  e.out.op[0] = e.write(0, bytes);
  e.out.op[3] = *yes;
  if (e.operands() > 3) {
    e.out.op[4] = e.read_predicate(3);
    e.out.op[5] |= e.has("and") ? 1 : e.has("or") ? 2 : 3;
  }
  e.handlers(packed ? run_set<u32, true> : bytes == 2 ? run_set<u16, false> : run_set<u32, false>);
  return true;
}

template <class T, bool Masked>
void run_selp(Warp& warp, const Inst& inst) {
  const T *a = slot<T>(warp, inst.op[1]), *b = slot<T>(warp, inst.op[2]);
  T* out = slot<T>(warp, inst.op[0]);
  const u32 p = read_predicate(warp, inst.op[3]);
  const u32* mask = warp.lane_mask;
#pragma GCC ivdep
  for (int lane = 0; lane < lane_count; ++lane) {
    const T value = (p >> lane & 1) != 0 ? a[lane] : b[lane];
    out[lane] = !Masked || mask[lane] != 0 ? value : out[lane];
  }
}
bool select_selp(Encoder& e) {
  const u32 bytes = ptx::bytes_of(e.type());
  return with_bits(e.type(), [&](auto t) {
    using T = decltype(t);
    e.handlers(run_selp<T, false>, run_selp<T, true>);
    e.out.op[0] = e.write(0, bytes);
    e.out.op[1] = e.read(1, bytes);
    e.out.op[2] = e.read(2, bytes);
    e.out.op[3] = e.read_predicate(3);
    return true;
  });
}

struct SelectBySign {
  template <class T, class C>
  T operator()(T a, T b, C c) const {
    return c >= 0 ? a : b;
  }
};
bool select_slct(Encoder& e) {
  return with_bits(e.type(1), [&](auto t) {
    using T = decltype(t);
    return e.type(0) == ptx::Type::f32 ? emit<SelectBySign, T, T, T, float>(e)
                                       : emit<SelectBySign, T, T, T, i32>(e);
  });
}

enum class Property { finite, infinite, number, notanumber, normal, subnormal };
template <Property P, class T>
void run_testp(Warp& warp, const Inst& inst) {
  const T* a = slot<T>(warp, inst.op[1]);
  u32 out = 0;
  for (u32 lane = 0; lane < lane_count; ++lane) {
    const int kind = std::fpclassify(a[lane]);
    bool value = false;
    switch (P) {
      case Property::finite:
        value = kind != FP_NAN && kind != FP_INFINITE;
        break;
      case Property::infinite:
        value = kind == FP_INFINITE;
        break;
      case Property::number:
        value = kind != FP_NAN;
        break;
      case Property::notanumber:
        value = kind == FP_NAN;
        break;
      case Property::normal:
        value = kind == FP_NORMAL;
        break;
      case Property::subnormal:
        value = kind == FP_SUBNORMAL;
        break;
    }
    out |= u32{value} << lane;
  }
  write_predicate(warp, inst.op[0], out);
}
template <class T>
bool bind_testp(Encoder& e) {
  using P = Property;
  e.handlers(e.has("finite")       ? run_testp<P::finite, T>
             : e.has("infinite")   ? run_testp<P::infinite, T>
             : e.has("number")     ? run_testp<P::number, T>
             : e.has("notanumber") ? run_testp<P::notanumber, T>
             : e.has("normal")     ? run_testp<P::normal, T>
                                   : run_testp<P::subnormal, T>);
  e.out.op[0] = e.write(0, 0);
  e.out.op[1] = e.read(1, sizeof(T));
  return true;
}
bool select_testp(Encoder& e) {
  return e.type() == ptx::Type::f64 ? bind_testp<double>(e) : bind_testp<float>(e);
}

constexpr std::array<Opcode, 5> table{{
    {"setp", select_setp,
     "all comparisons, integers, .f16-.f64, .f16x2 .bf16x2, .and .or .xor, p|q"},
    {"set", select_set,
     ".u16-.s32 .f16 .bf16 .f32 .f16x2 .bf16x2 from integers and floats, .and .or .xor"},
    {"selp", select_selp, ".b16-.f64"},
    {"slct", select_slct, ".b16-.f64 by .s32 or .f32"},
    {"testp", select_testp, ".f32 .f64"},
}};

}  // namespace

std::span<const Opcode> compare_opcodes() { return table; }

}  // namespace klab::sim
