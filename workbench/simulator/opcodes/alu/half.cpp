// Half and bfloat16 arithmetic, scalar and packed: computed in double and rounded once.
#include <array>
#include <cmath>

#include "simulator/opcodes/float_functions.hpp"
#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

namespace {

struct Add {
  double operator()(double a, double b) const { return a + b; }
};
struct Subtract {
  double operator()(double a, double b) const { return a - b; }
};
struct Multiply {
  double operator()(double a, double b) const { return a * b; }
};
// The product is exact. Where the sum is not, its last bit says "and a little more", so that
// rounding it again rounds once.
struct FusedMultiplyAdd {
  double operator()(double a, double b, double c) const {
    const double product = a * b, sum = product + c, rest = sum - product;
    const double error = (product - (sum - rest)) + (c - rest);
    const auto bits = std::bit_cast<u64>(sum);
    const bool away = (error > 0) == (sum > 0);
    const auto nudged = std::bit_cast<double>(away ? bits + 1 : bits - 1);
    // Of what is infinite or no number the error is none.
    const bool inexact = error != 0 && error == error && (bits & 1) == 0;
    return inexact ? nudged : sum;
  }
};
template <bool Max, bool KeepNan>
struct Extremum {
  double operator()(double a, double b) const { return extremum<Max, KeepNan>(a, b); }
};
template <bool Max, bool KeepNan>
struct ExtremumOfMagnitudes {
  double operator()(double a, double b) const {
    const double value = extremum<Max, KeepNan>(std::fabs(a), std::fabs(b));
    return std::signbit(a) != std::signbit(b) ? -value : value;
  }
};
struct Exp2 {
  static constexpr bool per_lane = true;
  double operator()(double a) const { return std::exp2(a); }
};
struct HyperbolicTangent {
  static constexpr bool per_lane = true;
  double operator()(double a) const { return std::tanh(a); }
};
template <class F>
struct Relu {
  template <class... A>
  double operator()(A... a) const {
    const double x = F()(a...);
    return x < 0 ? 0.0 : x;
  }
};
template <class F>
struct Saturated {
  template <class... A>
  double operator()(A... a) const {
    return saturate(F()(a...));
  }
};

// Subnormal halves become zero under .ftz.
template <class S, bool Ftz>
double load(u16 bits) {
  const bool flushed = Ftz && (bits & S::infinity) == 0;
  return S{flushed ? static_cast<u16>(bits & 0x8000) : bits}.value();
}
template <class S, bool Ftz>
u16 store(double x) {
  const u16 bits = S::round(x).bits;
  return Ftz && (bits & S::infinity) == 0 ? bits & 0x8000 : bits;
}

template <class F, class S, bool Ftz>
struct OnScalar {
  static constexpr bool per_lane = PerLane<F>;
  template <class... A>
  u16 operator()(A... a) const {
    return store<S, Ftz>(F()(load<S, Ftz>(a)...));
  }
};
template <class F, class S, bool Ftz>
struct OnPair {
  static constexpr bool per_lane = PerLane<F>;
  template <class... A>
  u32 operator()(A... a) const {
    const u32 low = store<S, Ftz>(F()(load<S, Ftz>(static_cast<u16>(a))...));
    const u32 high = store<S, Ftz>(F()(load<S, Ftz>(static_cast<u16>(a >> 16))...));
    return high << 16 | low;
  }
};

template <class... A>
struct Arguments {};

template <class F, class S, bool Ftz, class... A>
bool bind(Encoder& e, bool packed, Arguments<A...>) {
  if (packed) return emit<OnPair<F, S, Ftz>, u32, std::conditional_t<true, u32, A>...>(e);
  return emit<OnScalar<F, S, Ftz>, u16, std::conditional_t<true, u16, A>...>(e);
}

template <class F, class... A>
bool for_format(Encoder& e, u32 operations) {
  const ptx::Type type = e.type();
  const bool packed = type == ptx::Type::f16x2 || type == ptx::Type::bf16x2;
  const bool half = type == ptx::Type::f16 || type == ptx::Type::f16x2;
  if (!half && type != ptx::Type::bf16 && type != ptx::Type::bf16x2) return false;
  if (operations > 0) e.note_flops(Metric::flop_fp16, operations * (packed ? 2 : 1));
  if (!half) return bind<F, Bfloat, false>(e, packed, Arguments<A...>{});
  return e.has("ftz") ? bind<F, Half, true>(e, packed, Arguments<A...>{})
                      : bind<F, Half, false>(e, packed, Arguments<A...>{});
}

template <class F>
bool binary(Encoder& e) {
  return e.has("sat") ? for_format<Saturated<F>, u16, u16>(e, 1) : for_format<F, u16, u16>(e, 1);
}
bool select_fma(Encoder& e) {
  using F = FusedMultiplyAdd;
  if (e.has("oob")) return false;
  if (e.has("relu")) return for_format<Relu<F>, u16, u16, u16>(e, 2);
  return e.has("sat") ? for_format<Saturated<F>, u16, u16, u16>(e, 2)
                      : for_format<F, u16, u16, u16>(e, 2);
}
template <bool Max>
bool select_extremum(Encoder& e) {
  if (e.has("xorsign"))
    return e.has("NaN") ? for_format<ExtremumOfMagnitudes<Max, true>, u16, u16>(e, 0)
                        : for_format<ExtremumOfMagnitudes<Max, false>, u16, u16>(e, 0);
  return e.has("NaN") ? for_format<Extremum<Max, true>, u16, u16>(e, 0)
                      : for_format<Extremum<Max, false>, u16, u16>(e, 0);
}
template <class F>
bool approximate(Encoder& e) {
  return for_format<F, u16>(e, 1);
}

// Sign operations act on bits: a NaN keeps its payload.
template <u32 Keep, u32 Flip>
struct OnSign {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>((a & Keep) ^ Flip);
  }
};
template <u32 Keep, u32 Flip>
bool sign_operation(Encoder& e) {
  const ptx::Type type = e.type();
  if (type == ptx::Type::f16x2 || type == ptx::Type::bf16x2)
    return emit<OnSign<Keep, Flip>, u32, u32>(e);
  if (type == ptx::Type::f16 || type == ptx::Type::bf16)
    return emit<OnSign<Keep, Flip>, u16, u16>(e);
  return false;
}

constexpr std::array<Opcode, 10> table{{
    {"add", binary<Add>, ".f16 .f16x2 .bf16 .bf16x2, .ftz .sat"},
    {"sub", binary<Subtract>, ".f16 .f16x2 .bf16 .bf16x2, .ftz .sat"},
    {"mul", binary<Multiply>, ".f16 .f16x2 .bf16 .bf16x2, .ftz .sat"},
    {"fma", select_fma, ".f16 .f16x2 .bf16 .bf16x2, .ftz .sat .relu"},
    {"neg", sign_operation<0xffffffff, 0x80008000>, ".f16 .f16x2 .bf16 .bf16x2"},
    {"abs", sign_operation<0x7fff7fff, 0>, ".f16 .f16x2 .bf16 .bf16x2"},
    {"min", select_extremum<false>, ".f16 .f16x2 .bf16 .bf16x2, .NaN, .xorsign.abs"},
    {"max", select_extremum<true>, ".f16 .f16x2 .bf16 .bf16x2, .NaN, .xorsign.abs"},
    {"ex2", approximate<Exp2>, ".approx .f16 .f16x2 .bf16 .bf16x2"},
    {"tanh", approximate<HyperbolicTangent>, ".approx .f16 .f16x2 .bf16 .bf16x2"},
}};

}  // namespace

std::span<const Opcode> half_opcodes() { return table; }

}  // namespace klab::sim
