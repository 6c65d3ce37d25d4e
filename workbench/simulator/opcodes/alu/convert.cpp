// Conversions to and between floating-point formats, and the choice among all conversions.
#include <array>
#include <cmath>

#include "simulator/opcodes/alu/convert_integer.hpp"
#include "simulator/opcodes/float_functions.hpp"
#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

namespace {

using ptx::Type;

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
      return emit_rounded<ConvertTo<D>, D, T>(e);
    else
      return emit<ConvertTo<D>, D, T>(e);  // exact
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
template <class S, Rounding R>
u16 round_small_to(double x) {
  if (R == Rounding::nearest) return S::round(x).bits;
  S out = S::template round<true>(x);
  const double value = out.value();
  // The next one away from zero.
  if ((R == Rounding::up && x > value) || (R == Rounding::down && x < value)) ++out.bits;
  return out.bits;
}
// For all but the commonest conversions a call a lane is fast enough, and builds sooner.
template <class S, Rounding R>
[[gnu::noinline]] u16 call_round_small_to(double x) {
  return round_small_to<S, R>(x);
}
template <class S, Rounding R, bool Relu, bool Saturate = false>
struct ToSmall {
  template <class T>
  u16 operator()(T a) const {
    double x = sticky_double(a);
    if (Saturate) x = saturate(x);
    if (Relu && x < 0) x = 0;
    if constexpr (R == Rounding::nearest && !Saturate && !std::is_integral_v<T>)
      return round_small_to<S, R>(x);
    else
      return call_round_small_to<S, R>(x);
  }
};
// From another format of 16 bits.
template <class S, class To>
struct OfSmall {
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
  return with_rounding(integer_rounding(e), [&](auto rounding) {
    return bind_round_in_place<decltype(rounding)::value, T>(e);
  });
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
  D operator()(u16 bits) const {
    const auto out = static_cast<D>(S{bits}.value());
    if constexpr (sizeof(D) == 4) return canonical(out);
    return out;
  }
};
// tf32 keeps the upper 10 fraction bits; .rna rounds halves away from zero, .rn to even, .rz not at
// all. An H100's .rna takes a NaN for a number, the others have one NaN for all.
enum class Tf32 : std::uint8_t { away, even, zero };
template <Tf32 How, bool Relu>
struct ToTf32 {
  u32 operator()(u32 bits) const {
    constexpr u32 infinity = 0x7f800000, quiet = 0x7fffe000, dropped = 0x1fff;
    if (How == Tf32::away) return (bits + 0x1000) & ~dropped;
    if ((bits & ~(1u << 31)) > infinity) return quiet;
    if (Relu && bits >> 31 != 0) return 0;
    if ((bits & infinity) == infinity || How == Tf32::zero) return bits & ~dropped;
    return (bits + 0xfff + (bits >> 13 & 1)) & ~dropped;
  }
};
template <Tf32 How>
bool to_tf32(Encoder& e) {
  return e.has("relu") ? emit<ToTf32<How, true>, u32, u32>(e)
                       : emit<ToTf32<How, false>, u32, u32>(e);
}
// Two floats to one packed register: the first operand goes to the upper half.
template <class S, bool Truncate, bool Relu>
struct PackTwo {
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
  return with_rounding(integer_rounding(e), [&](auto rounding) {
    return emit<RoundSmall<S, decltype(rounding)::value>, u16, u16>(e);
  });
}
bool rounds_to_integer(const Encoder& e) {
  return e.has("rni") || e.has("rzi") || e.has("rmi") || e.has("rpi");
}

bool select_float_to_float(Encoder& e, Type to, Type from) {
  if (to == Type::tf32 && from == Type::f32)
    return e.has("rna")  ? emit<ToTf32<Tf32::away, false>, u32, u32>(e)
           : e.has("rz") ? to_tf32<Tf32::zero>(e)
                         : to_tf32<Tf32::even>(e);
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
