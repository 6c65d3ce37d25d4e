// Conversions between integers and floating-point formats.
#include <array>
#include <cmath>
#include <limits>

#include "simulator/opcodes/float_functions.hpp"
#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

namespace {

using ptx::Type;

bool is_signed(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}
bool is_integer(Type type) {
  return is_signed(type) || type == Type::u8 || type == Type::u16 || type == Type::u32 ||
         type == Type::u64;
}

template <class D>
struct To {
  template <class S>
  D operator()(S a) const {
    return static_cast<D>(a);
  }
};

// ---- integers in registers wider than their type, and .sat: one lane at a time ----
// imm: source bytes and sign, destination bytes and sign, saturation; op[2] and op[3]: register
// bytes.
struct IntegerForm {
  u8 from_bytes, from_signed, to_bytes, to_signed, saturate, from_register, to_register;
};
i64 extend(u64 value, u32 bytes, bool sign) {
  if (bytes == 8) return static_cast<i64>(value);
  const u32 shift = 64 - 8 * bytes;
  return sign ? static_cast<i64>(value << shift) >> shift
              : static_cast<i64>(value << shift >> shift);
}
u64 read_register(Warp& warp, u32 offset, u32 bytes, u32 lane) {
  if (bytes == 2) return slot<u16>(warp, offset)[lane];
  return bytes == 4 ? slot<u32>(warp, offset)[lane] : slot<u64>(warp, offset)[lane];
}
void write_register(Warp& warp, u32 offset, u32 bytes, u32 lane, u64 value) {
  if (bytes == 2) slot<u16>(warp, offset)[lane] = static_cast<u16>(value);
  if (bytes == 4) slot<u32>(warp, offset)[lane] = static_cast<u32>(value);
  if (bytes == 8) slot<u64>(warp, offset)[lane] = value;
}
u64 clamp_integer(i64 value, bool from_signed, u32 bytes, bool sign) {
  const i64 most = sign ? static_cast<i64>(~0ull >> (65 - 8 * bytes))
                        : (bytes == 8 ? -1 : static_cast<i64>((1ull << (8 * bytes)) - 1));
  const i64 least = sign ? -most - 1 : 0;
  if (from_signed) {
    if (value < least) return static_cast<u64>(least);
    return !sign && bytes == 8 ? static_cast<u64>(value)
                               : static_cast<u64>(value > most ? most : value);
  }
  return static_cast<u64>(value) > static_cast<u64>(most) ? static_cast<u64>(most)
                                                          : static_cast<u64>(value);
}
void run_integer(Warp& warp, const Inst& inst) {
  IntegerForm form;
  std::memcpy(&form, &inst.imm, sizeof form);
  for_each_lane(warp.mask, [&](u32 lane) {
    const u64 raw = read_register(warp, inst.op[1], form.from_register, lane);
    const i64 value = extend(raw, form.from_bytes, form.from_signed);
    const u64 out = form.saturate
                        ? clamp_integer(value, form.from_signed, form.to_bytes, form.to_signed)
                        : static_cast<u64>(value);
    write_register(warp, inst.op[0], form.to_register, lane,
                   static_cast<u64>(extend(out, form.to_bytes, form.to_signed)));
  });
}
bool select_integer(Encoder& e, Type to, Type from) {
  const u32 to_register = e.register_bytes(e.in.operands[0]);
  u32 from_register = e.register_bytes(e.in.operands[1]);
  if (from_register == 0) from_register = std::max(2u, ptx::bytes_of(from));
  const bool exact = to_register == ptx::bytes_of(to) && from_register == ptx::bytes_of(from);
  if (exact && !e.has("sat"))
    return with_bits(to, [&](auto d) {  // the destination's sign changes no bit
      using D = decltype(d);
      return with_integer(from, [&](auto s) { return emit<To<D>, D, decltype(s)>(e); });
    });
  const IntegerForm form{static_cast<u8>(ptx::bytes_of(from)),
                         is_signed(from),
                         static_cast<u8>(ptx::bytes_of(to)),
                         is_signed(to),
                         e.has("sat"),
                         static_cast<u8>(from_register),
                         static_cast<u8>(to_register)};
  std::memcpy(&e.out.imm, &form, sizeof form);
  e.handlers(run_integer);
  e.out.op[0] = e.write(0, to_register);
  e.out.op[1] = e.read(1, from_register);
  return true;
}

// ---- floating point to integer ----
enum class Rounding : u8 { nearest, zero, down, up };
Rounding integer_rounding(const Encoder& e) {
  return e.has("rzi")   ? Rounding::zero
         : e.has("rmi") ? Rounding::down
         : e.has("rpi") ? Rounding::up
                        : Rounding::nearest;
}
template <Rounding R, class T>
T round_to_integer(T x) {
  if constexpr (R == Rounding::zero) return std::trunc(x);
  if constexpr (R == Rounding::down) return std::floor(x);
  if constexpr (R == Rounding::up) return std::ceil(x);
  return std::nearbyint(x);
}
// Out of range clamps. NaN: 0 from .f32 and .f16 to 32 bits and less, else 1 << (width - 1).
// PTX ISA 9.0, cvt.
template <class D, Rounding R>
struct FloatToInteger {
  template <class S>
  D operator()(S x) const {
    using L = std::numeric_limits<D>;
    constexpr D nan =
        sizeof(S) == 8 || sizeof(D) == 8 ? static_cast<D>(u64{1} << (8 * sizeof(D) - 1)) : D{0};
    const double v = round_to_integer<R>(static_cast<double>(x));
    constexpr double least = static_cast<double>(L::min());
    // One past the largest: a power of two, exact in double.
    constexpr double past =
        2.0 * static_cast<double>(D{1} << (sizeof(D) * 8 - (L::is_signed ? 2 : 1)));
    if (v != v) return nan;
    return v < least ? L::min() : (v >= past ? L::max() : static_cast<D>(v));
  }
};
// The rarer conversions, one lane at a time: any source, width, rounding and register.
struct FloatForm {
  Type from, to;
  Rounding rounding;
  bool flush;
  u8 to_register;
};
template <class D, class S>
u64 rounded_integer(S x, Rounding rounding) {
  switch (rounding) {
    case Rounding::zero:
      return static_cast<u64>(FloatToInteger<D, Rounding::zero>()(x));
    case Rounding::down:
      return static_cast<u64>(FloatToInteger<D, Rounding::down>()(x));
    case Rounding::up:
      return static_cast<u64>(FloatToInteger<D, Rounding::up>()(x));
    default:
      return static_cast<u64>(FloatToInteger<D, Rounding::nearest>()(x));
  }
}
template <class S>
u64 to_integer(S x, Type to, Rounding rounding) {
  switch (to) {
    case Type::s8:
      return rounded_integer<i8>(x, rounding);
    case Type::u8:
      return rounded_integer<u8>(x, rounding);
    case Type::s16:
      return rounded_integer<i16>(x, rounding);
    case Type::u16:
      return rounded_integer<u16>(x, rounding);
    case Type::s32:
      return rounded_integer<i32>(x, rounding);
    case Type::u32:
      return rounded_integer<u32>(x, rounding);
    case Type::s64:
      return rounded_integer<i64>(x, rounding);
    default:
      return rounded_integer<u64>(x, rounding);
  }
}
void run_float_to_integer(Warp& warp, const Inst& inst) {
  FloatForm form;
  std::memcpy(&form, &inst.imm, sizeof form);
  for_each_lane(warp.mask, [&](u32 lane) {
    u64 out = 0;
    if (form.from == Type::f64) {
      out = to_integer(slot<double>(warp, inst.op[1])[lane], form.to, form.rounding);
    } else {
      float x = 0;
      if (form.from == Type::f32) x = slot<float>(warp, inst.op[1])[lane];
      if (form.from == Type::f16)
        x = static_cast<float>(Half{slot<u16>(warp, inst.op[1])[lane]}.value());
      if (form.from == Type::bf16)
        x = static_cast<float>(Bfloat{slot<u16>(warp, inst.op[1])[lane]}.value());
      out = to_integer(form.flush ? flush(x) : x, form.to, form.rounding);
    }
    write_register(warp, inst.op[0], form.to_register, lane, out);
  });
}
bool select_float_to_integer(Encoder& e, Type to, Type from) {
  const Rounding rounding = integer_rounding(e);
  const u32 to_register = e.register_bytes(e.in.operands[0]);
  if (from == Type::f32 && to_register == 4 && !e.has("ftz")) {
    if (to == Type::s32 && rounding == Rounding::zero)
      return emit<FloatToInteger<i32, Rounding::zero>, i32, float>(e);
    if (to == Type::u32 && rounding == Rounding::zero)
      return emit<FloatToInteger<u32, Rounding::zero>, u32, float>(e);
    if (to == Type::s32 && rounding == Rounding::nearest)
      return emit<FloatToInteger<i32, Rounding::nearest>, i32, float>(e);
  }
  const FloatForm form{from, to, rounding, e.has("ftz"), static_cast<u8>(to_register)};
  static_assert(sizeof form <= sizeof(i64));
  std::memcpy(&e.out.imm, &form, sizeof form);
  e.handlers(run_float_to_integer);
  e.out.op[0] = e.write(0, to_register);
  e.out.op[1] = e.read(1, ptx::bytes_of(from));
  return true;
}

// ---- integer to floating point ----
template <class T, class D>
struct OfNarrow {  // an 8-bit value in a wider register
  template <class S>
  D operator()(S a) const {
    return static_cast<D>(static_cast<T>(a));
  }
};
template <class D>
bool integer_to(Encoder& e, Type from) {
  const u32 bytes = e.register_bytes(e.in.operands[1]);
  const bool wide = bytes == 4 && ptx::bytes_of(from) < 4;
  if (from == Type::s8)
    return wide ? emit<OfNarrow<i8, D>, D, u32>(e) : emit<OfNarrow<i8, D>, D, u16>(e);
  if (from == Type::u8)
    return wide ? emit<OfNarrow<u8, D>, D, u32>(e) : emit<OfNarrow<u8, D>, D, u16>(e);
  if (wide && from == Type::s16) return emit<OfNarrow<i16, D>, D, u32>(e);
  if (wide && from == Type::u16) return emit<OfNarrow<u16, D>, D, u32>(e);
  return with_integer(from, [&](auto t) {
    using T = decltype(t);
    if constexpr (sizeof(T) >= sizeof(D))
      return emit_rounded<To<D>, D, T>(e);
    else
      return emit<To<D>, D, T>(e);  // exact
  });
}
// Exact, or with a last bit that says "and a little more": rounding it again rounds once.
template <class T>
double sticky_double(T a) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    const bool negative = a < 0;
    const u64 magnitude = negative ? 0 - static_cast<u64>(a) : static_cast<u64>(a);
    if (magnitude >> 53 == 0) return static_cast<double>(a);
    const auto kept = static_cast<double>(magnitude >> 11 | ((magnitude & 0x7ff) != 0));
    return (negative ? -2048. : 2048.) * kept;
  } else {
    return static_cast<double>(a);
  }
}
template <class S, Rounding R, bool Relu, bool Saturate = false>
struct ToSmall {
  static constexpr bool per_lane = true;
  static u16 rounded(double x) {
    if (R == Rounding::nearest) return S::round(x).bits;
    S out = S::template round<true>(x);
    const double value = out.value();
    // The next one away from zero.
    if ((R == Rounding::up && x > value) || (R == Rounding::down && x < value)) ++out.bits;
    return out.bits;
  }
  template <class T>
  u16 operator()(T a) const {
    double x = sticky_double(a);
    if (Saturate) x = saturate(x);
    if (Relu && x < 0) x = 0;
    return rounded(x);
  }
};
// From another format of 16 bits.
template <class S, class To>
struct OfSmall {
  static constexpr bool per_lane = true;
  u16 operator()(u16 bits) const { return To()(S{bits}.value()); }
};
template <class S, Rounding R, bool Relu, bool Saturate>
bool bind_small(Encoder& e, Type from) {
  using To = ToSmall<S, R, Relu, Saturate>;
  if (from == Type::f32) return emit<To, u16, float>(e);
  if (from == Type::f64) return emit<To, u16, double>(e);
  if (from == Type::f16) return emit<OfSmall<Half, To>, u16, u16>(e);
  if (from == Type::bf16) return emit<OfSmall<Bfloat, To>, u16, u16>(e);
  return with_integer(from, [&](auto t) { return emit<To, u16, decltype(t)>(e); });
}
template <class S, Rounding R>
bool bind_small(Encoder& e, Type from) {
  if (e.has("relu")) return bind_small<S, R, true, false>(e, from);
  return e.has("sat") ? bind_small<S, R, false, true>(e, from)
                      : bind_small<S, R, false, false>(e, from);
}
template <class S>
bool to_small(Encoder& e, Type from) {
  if (e.has("rz")) return bind_small<S, Rounding::zero>(e, from);
  if (e.has("rm")) return bind_small<S, Rounding::down>(e, from);
  if (e.has("rp")) return bind_small<S, Rounding::up>(e, from);
  return bind_small<S, Rounding::nearest>(e, from);
}

// ---- between floating-point formats ----
template <class D, bool Saturate, bool Flush>
struct FloatToFloat {
  template <class S>
  D operator()(S a) const {
    if constexpr (Flush && sizeof(S) == 4) a = flush(a);
    D out = static_cast<D>(a);
    if constexpr (Flush && sizeof(D) == 4) out = flush(out);
    if constexpr (sizeof(D) == 4) out = canonical(out);
    return Saturate ? saturate(out) : out;
  }
};
template <Rounding R, bool Saturate, bool Flush>
struct RoundInPlace {
  template <class T>
  T operator()(T a) const {
    if constexpr (Flush && sizeof(T) == 4) a = flush(a);
    T out = round_to_integer<R>(a);
    if constexpr (sizeof(T) == 4) out = canonical(out);
    return Saturate ? saturate(out) : out;
  }
};
template <Rounding R, class T>
bool bind_round_in_place(Encoder& e) {
  if (e.has("sat")) return emit<RoundInPlace<R, true, false>, T, T>(e);
  return e.has("ftz") ? emit<RoundInPlace<R, false, true>, T, T>(e)
                      : emit<RoundInPlace<R, false, false>, T, T>(e);
}
template <class T>
bool round_in_place(Encoder& e) {
  switch (integer_rounding(e)) {
    case Rounding::zero:
      return bind_round_in_place<Rounding::zero, T>(e);
    case Rounding::down:
      return bind_round_in_place<Rounding::down, T>(e);
    case Rounding::up:
      return bind_round_in_place<Rounding::up, T>(e);
    default:
      return bind_round_in_place<Rounding::nearest, T>(e);
  }
}
template <class D, class S>
bool float_to_float(Encoder& e) {
  if (e.has("sat"))
    return e.has("ftz") ? emit_rounded<FloatToFloat<D, true, true>, D, S>(e)
                        : emit_rounded<FloatToFloat<D, true, false>, D, S>(e);
  return e.has("ftz") ? emit_rounded<FloatToFloat<D, false, true>, D, S>(e)
                      : emit_rounded<FloatToFloat<D, false, false>, D, S>(e);
}
template <class S, class D>
struct SmallValue {
  static constexpr bool per_lane = true;
  D operator()(u16 bits) const {
    const auto out = static_cast<D>(S{bits}.value());
    if constexpr (sizeof(D) == 4) return canonical(out);
    return out;
  }
};
// tf32 keeps the upper 10 fraction bits; .rna rounds halves away from zero, .rn to even.
template <bool Even>
struct ToTf32 {
  u32 operator()(u32 bits) const {
    if ((bits & 0x7f800000) == 0x7f800000) return bits;
    return (bits + (Even ? 0xfff + (bits >> 13 & 1) : 0x1000)) & ~0x1fffu;
  }
};
// Two floats to one packed register: the first operand goes to the upper half.
template <class S, bool Truncate, bool Relu>
struct PackTwo {
  static constexpr bool per_lane = true;
  u32 operator()(float high, float low) const {
    const ToSmall<S, Truncate ? Rounding::zero : Rounding::nearest, Relu> convert;
    return u32{convert(high)} << 16 | convert(low);
  }
};
template <class S>
bool pack_two(Encoder& e) {
  if (e.operands() != 3) return false;
  if (e.has("relu"))
    return e.has("rz") ? emit<PackTwo<S, true, true>, u32, float, float>(e)
                       : emit<PackTwo<S, false, true>, u32, float, float>(e);
  return e.has("rz") ? emit<PackTwo<S, true, false>, u32, float, float>(e)
                     : emit<PackTwo<S, false, false>, u32, float, float>(e);
}
// Rounded to an integer, in its own format.
template <class S, Rounding R>
struct RoundSmall {
  static constexpr bool per_lane = true;
  u16 operator()(u16 bits) const { return S::round(round_to_integer<R>(S{bits}.value())).bits; }
};
template <class S>
bool round_small(Encoder& e) {
  if (e.has("sat")) return false;
  switch (integer_rounding(e)) {
    case Rounding::zero:
      return emit<RoundSmall<S, Rounding::zero>, u16, u16>(e);
    case Rounding::down:
      return emit<RoundSmall<S, Rounding::down>, u16, u16>(e);
    case Rounding::up:
      return emit<RoundSmall<S, Rounding::up>, u16, u16>(e);
    default:
      return emit<RoundSmall<S, Rounding::nearest>, u16, u16>(e);
  }
}
bool rounds_to_integer(const Encoder& e) {
  return e.has("rni") || e.has("rzi") || e.has("rmi") || e.has("rpi");
}

bool select_float_to_float(Encoder& e, Type to, Type from) {
  if (to == Type::tf32 && from == Type::f32)
    return e.has("rna") ? emit<ToTf32<false>, u32, u32>(e) : emit<ToTf32<true>, u32, u32>(e);
  if (to == from && rounds_to_integer(e)) {
    if (to == Type::f16) return round_small<Half>(e);
    if (to == Type::bf16) return round_small<Bfloat>(e);
  }
  if (to == Type::f16) return to_small<Half>(e, from);
  if (to == Type::bf16) return to_small<Bfloat>(e, from);
  if (from == Type::f16)
    return to == Type::f64 ? emit<SmallValue<Half, double>, double, u16>(e)
                           : emit<SmallValue<Half, float>, float, u16>(e);
  if (from == Type::bf16)
    return to == Type::f64 ? emit<SmallValue<Bfloat, double>, double, u16>(e)
                           : emit<SmallValue<Bfloat, float>, float, u16>(e);
  if (to == from && rounds_to_integer(e))
    return to == Type::f32 ? round_in_place<float>(e) : round_in_place<double>(e);
  if (to == Type::f32)
    return from == Type::f32 ? float_to_float<float, float>(e) : float_to_float<float, double>(e);
  return from == Type::f32 ? float_to_float<double, float>(e) : float_to_float<double, double>(e);
}
bool is_float(Type type) {
  return type == Type::f32 || type == Type::f64 || type == Type::f16 || type == Type::bf16 ||
         type == Type::tf32;
}

bool select_cvt(Encoder& e) {
  const Type from = e.type(0), to = e.type(1);
  if (e.operands() < 2 || e.has("pack") || e.has("rs") || e.has("satfinite")) return false;
  if (to == Type::f16x2 && from == Type::f32) return pack_two<Half>(e);
  if (to == Type::bf16x2 && from == Type::f32) return pack_two<Bfloat>(e);
  if (is_integer(to) && is_integer(from)) return select_integer(e, to, from);
  if (is_integer(to) && is_float(from)) return select_float_to_integer(e, to, from);
  if (is_float(to) && is_float(from)) return select_float_to_float(e, to, from);
  if (!is_integer(from)) return false;
  if (to == Type::f32) return integer_to<float>(e, from);
  if (to == Type::f64) return integer_to<double>(e, from);
  if (to == Type::f16) return to_small<Half>(e, from);
  return to == Type::bf16 && to_small<Bfloat>(e, from);
}

constexpr std::array<Opcode, 1> table{{
    {"cvt", select_cvt,
     "integers, .f16 .bf16 .f32 .f64 .tf32, two .f32 to .f16x2 .bf16x2, all roundings, .sat .ftz "
     ".relu"},
}};

}  // namespace

std::span<const Opcode> convert_opcodes() { return table; }

}  // namespace klab::sim
