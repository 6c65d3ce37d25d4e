// Single- and double-precision arithmetic.
#include <array>
#include <cmath>
#include <limits>

#include "simulator/opcodes/float_functions.hpp"
#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

namespace {

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return a + b;
  }
};
struct Subtract {
  template <class T>
  T operator()(T a, T b) const {
    return a - b;
  }
};
struct Multiply {
  template <class T>
  T operator()(T a, T b) const {
    return a * b;
  }
};
struct FusedMultiplyAdd {
  float operator()(float a, float b, float c) const { return __builtin_fmaf(a, b, c); }
  double operator()(double a, double b, double c) const { return __builtin_fma(a, b, c); }
};
struct Divide {
  template <class T>
  T operator()(T a, T b) const {
    return a / b;
  }
};
struct SquareRoot {
  template <class T>
  T operator()(T a) const {
    return std::sqrt(a);
  }
};
struct Reciprocal {
  template <class T>
  T operator()(T a) const {
    return T{1} / a;
  }
};
struct ReciprocalSquareRoot {
  // As 1 / sqrt(double{a}) is when it is rounded, for each of the floats, in a third of the time:
  // the step of third order brings 23 bits to all of a double's.
  float operator()(float a) const {
    const float guess = 1.0f / std::sqrt(a);
    const double y = guess, error = __builtin_fma(-double{a} * y, y, 1.0);
    const double root = __builtin_fma(y * error, __builtin_fma(0.375, error, 0.5), y);
    const bool usual = guess > 0 && guess < std::numeric_limits<float>::infinity();
    return usual ? static_cast<float>(root) : guess;
  }
  double operator()(double a) const { return 1.0 / std::sqrt(a); }
};
template <class T>
using Raw = BitsOf<T>;
template <class T>
constexpr Raw<T> sign_bit = Raw<T>{1} << (8 * sizeof(T) - 1);
struct Negate {
  template <class T>
  T operator()(T a) const {
    return std::bit_cast<T>(std::bit_cast<Raw<T>>(a) ^ sign_bit<T>);
  }
};
struct Absolute {
  template <class T>
  T operator()(T a) const {
    return std::bit_cast<T>(std::bit_cast<Raw<T>>(a) & ~sign_bit<T>);
  }
};
struct CopySign {  // the sign of a on the magnitude of b
  template <class T>
  T operator()(T a, T b) const {
    return std::bit_cast<T>((std::bit_cast<Raw<T>>(a) & sign_bit<T>) |
                            (std::bit_cast<Raw<T>>(b) & ~sign_bit<T>));
  }
};
template <bool Max, bool KeepNan>
struct Extremum {
  template <class T>
  T operator()(T a, T b) const {
    return extremum<Max, KeepNan>(a, b);
  }
};
// .xorsign.abs: of the magnitudes, with the product's sign (PTX ISA 9.0, min); a NaN has none.
template <bool Max, bool KeepNan>
struct ExtremumOfMagnitudes {
  float operator()(float a, float b) const {
    const float value = extremum<Max, KeepNan>(std::fabs(a), std::fabs(b));
    return value == value && std::signbit(a) != std::signbit(b) ? -value : value;
  }
};
template <bool Max>
struct ExtremumOfThree {
  float operator()(float a, float b, float c) const {
    return extremum<Max, false>(extremum<Max, false>(a, b), c);
  }
};
struct Exp2 {
  float operator()(float a) const { return exp2_approx(a); }
};
struct Log2 {
  static constexpr bool per_lane = true;
  float operator()(float a) const { return std::log2(a); }
};
struct Sine {
  static constexpr bool per_lane = true;
  float operator()(float a) const { return std::sin(a); }
};
struct Cosine {
  static constexpr bool per_lane = true;
  float operator()(float a) const { return std::cos(a); }
};
struct HyperbolicTangent {
  static constexpr bool per_lane = true;
  float operator()(float a) const { return std::tanh(a); }
};
template <class F>
struct Flushed {
  template <class... A>
  float operator()(A... a) const {
    return flush(F()(flush(a)...));
  }
};
template <class F>
struct FlushedPerLane : Flushed<F> {
  static constexpr bool per_lane = true;
};
template <class F>
struct Canonical {
  template <class... A>
  float operator()(A... a) const {
    return canonical(F()(a...));
  }
};
template <PerLane F>
struct Canonical<F> {
  static constexpr bool per_lane = true;
  float operator()(float a) const { return canonical(F()(a)); }
};
template <class F>
struct Saturated {
  template <class T, class... A>
  T operator()(T a, A... rest) const {
    return saturate(F()(a, rest...));
  }
};

// Two floats in one register.
template <class F>
struct Pairwise {
  template <class... A>
  u64 operator()(A... a) const {
    const float low = F()(std::bit_cast<float>(static_cast<u32>(a))...);
    const float high = F()(std::bit_cast<float>(static_cast<u32>(a >> 32))...);
    return u64{std::bit_cast<u32>(high)} << 32 | std::bit_cast<u32>(low);
  }
};
template <class F, class... A>
bool pairwise(Encoder& e, u32 operations) {
  if (e.has("sat")) return false;
  e.note_flops(Metric::flop_fp32, 2 * operations);
  using Plain = Canonical<F>;
  return e.has("ftz") ? emit_rounded<Pairwise<Flushed<Plain>>, u64, A...>(e)
                      : emit_rounded<Pairwise<Plain>, u64, A...>(e);
}

// F on floats or doubles with the rounding, .ftz and .sat that the opcode states.
template <class F, class... A>
bool arithmetic(Encoder& e, u32 operations) {
  const bool ftz = e.has("ftz"), sat = e.has("sat");
  if (e.type() == ptx::Type::f64) {
    if (ftz || sat) return false;
    e.note_flops(Metric::flop_fp64, operations);
    return emit_rounded<F, double, std::conditional_t<true, double, A>...>(e);
  }
  if (e.type() != ptx::Type::f32) return false;
  e.note_flops(Metric::flop_fp32, operations);
  using Plain = Canonical<F>;
  if (ftz && sat) return emit_rounded<Saturated<Flushed<Plain>>, float, A...>(e);
  if (ftz) return emit_rounded<Flushed<Plain>, float, A...>(e);
  if (sat) return emit_rounded<Saturated<Plain>, float, A...>(e);
  return emit_rounded<Plain, float, A...>(e);
}

template <class F>
bool binary(Encoder& e) {
  if (e.has("f32x2")) return pairwise<F, u64, u64>(e, 1);
  return arithmetic<F, float, float>(e, 1);
}

bool select_fma(Encoder& e) {
  if (e.has("relu")) return false;
  if (e.has("f32x2")) return pairwise<FusedMultiplyAdd, u64, u64, u64>(e, 2);
  return arithmetic<FusedMultiplyAdd, float, float, float>(e, 2);
}
template <class F>
bool unary(Encoder& e) {
  return arithmetic<F, float>(e, 1);
}

// A start for Newton's method: subnormal numbers are zeros, the lower half of operand and result is
// zero, every NaN the same one (PTX ISA 9.0, rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64).
template <class F>
struct Gross {
  static double upper_half(std::uint64_t bits) {
    const bool subnormal = (bits & 0x7ff0'0000'0000'0000) == 0;
    return std::bit_cast<double>(bits & (subnormal ? sign_bit<double> : 0xffff'ffff'0000'0000));
  }
  double operator()(double a) const {
    const double result = F()(upper_half(std::bit_cast<std::uint64_t>(a)));
    if (result != result || a != a) return upper_half(0x7fff'ffff'0000'0000);
    return upper_half(std::bit_cast<std::uint64_t>(result) + 0x8000'0000);
  }
};
template <class F>
bool reciprocal(Encoder& e) {
  if (e.type() == ptx::Type::f64 && e.has("ftz"))
    return e.has("approx") && emit<Gross<F>, double, double>(e);
  return unary<F>(e);
}

// Operations that change only the sign, and approximations: no rounding.
template <class F, class... A>
bool exact(Encoder& e) {
  if (e.type() == ptx::Type::f64) return emit<F, double, std::conditional_t<true, double, A>...>(e);
  if (e.type() != ptx::Type::f32) return false;
  return e.has("ftz") ? emit<Flushed<F>, float, A...>(e) : emit<F, float, A...>(e);
}
template <class F>
bool approximate(Encoder& e) {
  if (e.type() != ptx::Type::f32) return false;
  e.note_flops(Metric::flop_fp32, 1);
  using Plain = Canonical<F>;
  if constexpr (PerLane<F>)
    return e.has("ftz") ? emit<FlushedPerLane<Plain>, float, float>(e)
                        : emit<Plain, float, float>(e);
  else
    return e.has("ftz") ? emit<Flushed<Plain>, float, float>(e) : emit<Plain, float, float>(e);
}
template <bool Max>
bool select_extremum(Encoder& e) {
  if (e.has("xorsign"))
    return e.type() == ptx::Type::f32 && e.operands() == 3 &&
           (e.has("NaN") ? exact<ExtremumOfMagnitudes<Max, true>, float, float>(e)
                         : exact<ExtremumOfMagnitudes<Max, false>, float, float>(e));
  if (e.operands() == 4)
    return e.type() == ptx::Type::f32 && !e.has("NaN") &&
           exact<ExtremumOfThree<Max>, float, float, float>(e);
  return e.has("NaN") ? exact<Extremum<Max, true>, float, float>(e)
                      : exact<Extremum<Max, false>, float, float>(e);
}
bool select_copysign(Encoder& e) { return exact<CopySign, float, float>(e); }

constexpr std::array<Opcode, 19> table{{
    {"add", binary<Add>, ".f32 .f64, .rn .rz .rm .rp, .ftz .sat; .f32x2"},
    {"sub", binary<Subtract>, ".f32 .f64, .rn .rz .rm .rp, .ftz .sat; .f32x2"},
    {"mul", binary<Multiply>, ".f32 .f64, .rn .rz .rm .rp, .ftz .sat; .f32x2"},
    {"fma", select_fma, ".f32 .f64, .rn .rz .rm .rp, .ftz .sat; .f32x2"},
    {"mad", select_fma, ".f32 .f64, as fma"},
    {"div", binary<Divide>, ".f32 .f64, .rn .rz .rm .rp .approx .full, .ftz"},
    {"sqrt", unary<SquareRoot>, ".f32 .f64, .rn .rz .rm .rp .approx, .ftz"},
    {"rcp", reciprocal<Reciprocal>, ".f32 .f64, .rn .rz .rm .rp .approx, .ftz"},
    {"rsqrt", reciprocal<ReciprocalSquareRoot>, ".f32 .f64, .approx, .ftz"},
    {"neg", exact<Negate, float>, ".f32 .f64, .ftz"},
    {"abs", exact<Absolute, float>, ".f32 .f64, .ftz"},
    {"min", select_extremum<false>, ".f32 .f64, .NaN, .ftz, three operands; .xorsign.abs.f32"},
    {"max", select_extremum<true>, ".f32 .f64, .NaN, .ftz, three operands; .xorsign.abs.f32"},
    {"copysign", select_copysign, ".f32 .f64"},
    {"ex2", approximate<Exp2>, ".approx .f32, .ftz"},
    {"lg2", approximate<Log2>, ".approx .f32, .ftz"},
    {"sin", approximate<Sine>, ".approx .f32, .ftz"},
    {"cos", approximate<Cosine>, ".approx .f32, .ftz"},
    {"tanh", approximate<HyperbolicTangent>, ".approx .f32"},
}};
}  // namespace

std::span<const Opcode> float_opcodes() { return table; }

}  // namespace klab::sim
