// Comparisons and selections.
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <array>
#include <cmath>

#include "simulator/float_functions.hpp"
#include "simulator/lanes.hpp"

namespace klab::sim {

namespace {

struct Equal {
  template <class T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};
struct NotEqual {  // ordered: false if an operand is NaN
  template <class T>
  bool operator()(T a, T b) const {
    return a < b || a > b;
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
template <class F>
struct Swapped {
  template <class T>
  bool operator()(T a, T b) const {
    return F()(b, a);
  }
};
template <class F>
struct Not {
  template <class T>
  bool operator()(T a, T b) const {
    return !F()(a, b);
  }
};

template <class S>
struct Small {  // a half or bfloat16, compared by value
  u16 bits;
  friend bool operator==(Small a, Small b) { return S{a.bits}.value() == S{b.bits}.value(); }
  friend bool operator<(Small a, Small b) { return S{a.bits}.value() < S{b.bits}.value(); }
  friend bool operator>(Small a, Small b) { return b < a; }
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

template <class F, class T>
u32 compare_lanes(Warp& warp, const Inst& inst) {
  const T *a = slot<T>(warp, inst.op[1]), *b = slot<T>(warp, inst.op[2]);
  alignas(32) u8 bytes[lane_count];
#pragma GCC ivdep
  for (int lane = 0; lane < lane_count; ++lane) bytes[lane] = F()(a[lane], b[lane]) ? 0xff : 0;
  return pack_lanes(bytes);
}

// setp: op[0] = p, op[4] = q (the complement), op[3] = c combined as imm says.
u32 combine(Warp& warp, const Inst& inst, u32 value) {
  switch (inst.imm) {
    case 1:
      return value & read_predicate(warp, inst.op[3]);
    case 2:
      return value | read_predicate(warp, inst.op[3]);
    case 3:
      return value ^ read_predicate(warp, inst.op[3]);
    default:
      return value;
  }
}
template <class F, class T>
void run_setp(Warp& warp, const Inst& inst) {
  const u32 compared = compare_lanes<F, T>(warp, inst);
  const u32 p = combine(warp, inst, compared);
  if (inst.op[4] != none) {
    const u32 q = combine(warp, inst, ~compared);
    write_predicate(warp, inst.op[4], q);
  }
  write_predicate(warp, inst.op[0], p);
}
// Packed halves: p from the low, q from the high ones.
template <class F, class S>
void run_setp_packed(Warp& warp, const Inst& inst) {
  const u32 *a = slot<u32>(warp, inst.op[1]), *b = slot<u32>(warp, inst.op[2]);
  u32 low = 0, high = 0;
  for (u32 lane = 0; lane < lane_count; ++lane) {
    using T = Small<S>;
    low |= u32{F()(T{static_cast<u16>(a[lane])}, T{static_cast<u16>(b[lane])})} << lane;
    high |= u32{F()(T{static_cast<u16>(a[lane] >> 16)}, T{static_cast<u16>(b[lane] >> 16)})}
            << lane;
  }
  const u32 p = combine(warp, inst, low), q = combine(warp, inst, high);
  if (inst.op[4] != none) write_predicate(warp, inst.op[4], q);
  write_predicate(warp, inst.op[0], p);
}

// Calls act with the comparison that the opcode names.
template <class Act>
bool with_comparison(std::string_view name, Act&& act) {
  if (name == "eq") return act(Equal{});
  if (name == "ne") return act(NotEqual{});
  if (name == "lt" || name == "lo") return act(Less{});
  if (name == "le" || name == "ls") return act(LessEqual{});
  if (name == "gt" || name == "hi") return act(Swapped<Less>{});
  if (name == "ge" || name == "hs") return act(Swapped<LessEqual>{});
  if (name == "equ") return act(Not<NotEqual>{});
  if (name == "neu") return act(Not<Equal>{});
  if (name == "ltu") return act(Not<Swapped<LessEqual>>{});
  if (name == "leu") return act(Not<Swapped<Less>>{});
  if (name == "gtu") return act(Not<LessEqual>{});
  if (name == "geu") return act(Not<Less>{});
  if (name == "num") return act(BothNumbers{});
  if (name == "nan") return act(Not<BothNumbers>{});
  return false;
}
template <class Act>
bool with_compared(ptx::Type type, Act&& act) {
  switch (type) {
    case ptx::Type::f32:
      return act(float{});
    case ptx::Type::f64:
      return act(double{});
    case ptx::Type::f16:
      return act(Small<Half>{});
    case ptx::Type::bf16:
      return act(Small<Bfloat>{});
    default:
      return with_integer(type, act);
  }
}

template <class F, class T>
struct FlushedCompare {
  bool operator()(float a, float b) const { return F()(flush(a), flush(b)); }
};

bool select_setp(Encoder& e) {
  if (e.in.parts.size() < 3 || e.operands() < 3) return false;
  const ptx::Type type = e.type();
  const bool bound = with_comparison(e.in.parts[1], [&](auto compare) {
    using F = decltype(compare);
    if (type == ptx::Type::f16x2) return e.handlers(run_setp_packed<F, Half>), true;
    if (type == ptx::Type::bf16x2) return e.handlers(run_setp_packed<F, Bfloat>), true;
    if (type == ptx::Type::f32 && e.has("ftz"))
      return e.handlers(run_setp<FlushedCompare<F, float>, float>), true;
    return with_compared(type, [&](auto t) { return e.handlers(run_setp<F, decltype(t)>), true; });
  });
  if (!bound) return false;
  const ptx::Operand& destination = e.in.operands[0];
  if (destination.kind == ptx::Operand::Kind::pair) {
    e.out.op[0] = e.write_predicate(destination.elements[0]);
    e.out.op[4] = e.write_predicate(destination.elements[1]);
  } else {
    e.out.op[0] = e.write_predicate(destination);
  }
  e.out.op[1] = e.read(1, ptx::bytes_of(type));
  e.out.op[2] = e.read(2, ptx::bytes_of(type));
  if (e.operands() > 3) {
    e.out.op[3] = e.read_predicate(3);
    e.out.imm = e.has("and") ? 1 : e.has("or") ? 2 : 3;
  }
  return true;
}

template <class F, class D>
struct SetTo {
  template <class T>
  D operator()(T a, T b) const {
    if constexpr (std::is_same_v<D, float>)
      return F()(a, b) ? 1.f : 0.f;
    else
      return F()(a, b) ? ~D{0} : D{0};
  }
};
template <class F, class S, bool Ones>
struct SetPacked {
  static constexpr bool per_lane = true;
  u32 operator()(u32 a, u32 b) const {
    using T = Small<S>;
    const u32 yes = Ones ? 0xffff : S::round(1.0).bits;
    const u32 low = F()(T{static_cast<u16>(a)}, T{static_cast<u16>(b)}) ? yes : 0;
    const u32 high = F()(T{static_cast<u16>(a >> 16)}, T{static_cast<u16>(b >> 16)}) ? yes : 0;
    return high << 16 | low;
  }
};
bool select_set(Encoder& e) {
  if (e.in.parts.size() < 4 || e.operands() != 3) return false;
  const ptx::Type from = e.type(0), to = e.type(1);
  const bool whole = to == ptx::Type::u32 || to == ptx::Type::s32;
  return with_comparison(e.in.parts[1], [&](auto compare) {
    using F = decltype(compare);
    if (from == ptx::Type::f16x2 && (to == from || whole))
      return whole ? emit<SetPacked<F, Half, true>, u32, u32, u32>(e)
                   : emit<SetPacked<F, Half, false>, u32, u32, u32>(e);
    if (from == ptx::Type::bf16x2 && (to == from || whole))
      return whole ? emit<SetPacked<F, Bfloat, true>, u32, u32, u32>(e)
                   : emit<SetPacked<F, Bfloat, false>, u32, u32, u32>(e);
    return with_compared(from, [&](auto t) {
      using T = decltype(t);
      if (whole) return emit<SetTo<F, u32>, u32, T, T>(e);
      return to == ptx::Type::f32 && emit<SetTo<F, float>, float, T, T>(e);
    });
  });
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
    {"set", select_set, ".u32 .s32 .f32 .f16x2 .bf16x2 from integers and floats"},
    {"selp", select_selp, ".b16-.f64"},
    {"slct", select_slct, ".b16-.f64 by .s32 or .f32"},
    {"testp", select_testp, ".f32 .f64"},
}};

}  // namespace

std::span<const Opcode> compare_opcodes() { return table; }

}  // namespace klab::sim
