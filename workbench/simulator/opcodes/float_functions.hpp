// Scalar functions with PTX semantics on float, double, half and bfloat16.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <type_traits>

namespace klab::sim {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

// Subnormal numbers become zeros of their sign (.ftz).
inline float flush(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return (bits & 0x7f800000u) == 0 ? std::bit_cast<float>(bits & 0x80000000u) : x;
}

// Clamped to [0, 1], NaN to 0 (.sat).
template <class T>
T saturate(T x) {
  return x > T{0} ? (x < T{1} ? x : T{1}) : T{0};
}

// The NaN that PTX names canonical for the type.
template <class T>
T canonical_nan() {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(std::uint64_t{0x7fffffffffffffff});
  else
    return std::bit_cast<T>(std::uint32_t{0x7fffffff});
}

// A float, or the canonical NaN: what single-precision arithmetic gives whatever NaN went in.
inline float canonical(float x) { return x == x ? x : canonical_nan<float>(); }

// The number when one operand is NaN; -0 below +0. PTX ISA 9.0, min and max.
template <bool Max, bool KeepNan, class T>
T extremum(T a, T b) {
  const bool nan_a = a != a, nan_b = b != b;
  const bool b_wins = a == b ? (std::signbit(a) == Max) : (Max ? a < b : b < a);
  const T numbers = b_wins ? b : a;
  if constexpr (KeepNan) return nan_a || nan_b ? canonical_nan<T>() : numbers;
  return nan_a ? (nan_b ? canonical_nan<T>() : b) : (nan_b ? a : numbers);
}

// A floating-point format of 16 bits or less, as bits in a u16.
template <int ExponentBits, int FractionBits>
struct SmallFloat {
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  static constexpr std::uint16_t infinity = ((1u << ExponentBits) - 1) << FractionBits;
  static constexpr std::uint16_t nan = 0x7fff;

  std::uint16_t bits = 0;

  // Exponent and fraction where those of a double stand, then times what lies between the biases:
  // no branch, so that a loop over lanes is one of vectors.
  double value() const {
    const std::uint64_t magnitude = bits & 0x7fffu;
    const auto scaled = std::bit_cast<double>(magnitude << dropped_bits) * from_own_bias;
    const double beyond = magnitude > infinity ? std::numeric_limits<double>::quiet_NaN()
                                               : std::numeric_limits<double>::infinity();
    const auto unsigned_bits = std::bit_cast<std::uint64_t>(magnitude < infinity ? scaled : beyond);
    return std::bit_cast<double>(unsigned_bits | static_cast<std::uint64_t>(bits & 0x8000u) << 48);
  }

  // Rounds once, to nearest even or (Truncate) toward zero.
  template <bool Truncate = false>
  static SmallFloat round(double x) {
    const auto raw = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t sign = raw >> 48 & 0x8000u, magnitude = raw & ~(std::uint64_t{1} << 63);
    // Of the last bit that is kept: that of the exponent, but for numbers next to zero.
    const std::uint64_t exponent =
        std::clamp<std::uint64_t>(magnitude >> 52, 1024 - bias, 1024 + bias);
    const auto kept = Truncate ? truncated(magnitude, exponent) : nearest(magnitude, exponent);
    const std::uint64_t own = std::bit_cast<std::uint64_t>(kept * to_own_bias) >> dropped_bits;
    const std::uint64_t most = Truncate && std::isfinite(x) ? infinity - 1u : infinity;
    return {static_cast<std::uint16_t>(x != x ? nan : sign | std::min(own, most))};
  }

 private:
  static constexpr int dropped_bits = 52 - FractionBits;
  static constexpr double from_own_bias =
      std::bit_cast<double>(static_cast<std::uint64_t>(2 * 1023 - bias) << 52);
  static constexpr double to_own_bias =
      std::bit_cast<double>(static_cast<std::uint64_t>(bias) << 52);

  // A number so large that what is added to it loses the bits that are dropped.
  static double nearest(std::uint64_t magnitude, std::uint64_t exponent) {
    const auto large = std::bit_cast<double>((exponent + dropped_bits) << 52);
    return (std::bit_cast<double>(magnitude) + large) - large;
  }
  static double truncated(std::uint64_t magnitude, std::uint64_t exponent) {
    const auto x = std::bit_cast<double>(magnitude);
    const double rounded = nearest(magnitude, exponent);
    const auto last = std::bit_cast<double>((exponent - FractionBits) << 52);
    return rounded > x ? rounded - last : rounded;
  }
};
using Half = SmallFloat<5, 10>;
using Bfloat = SmallFloat<8, 7>;

// 2^x within 2 ulp, as ex2.approx; plain arithmetic that vectorizes. Subnormal results included.
inline float exp2_approx(float x) {
  const float limited = x < -160.f ? -160.f : (x > 130.f ? 130.f : x);
  const float whole = __builtin_rintf(limited);
  const float f = limited - whole;
  // Of the polynomials of degree 6 the one that is nearest to 2^f on [-1/2, 1/2]; a Taylor series
  // of that length is off by 3 ulp at the ends.
  float p = 1.5353362e-4f;
  p = p * f + 1.3398874e-3f;
  p = p * f + 9.6184374e-3f;
  p = p * f + 5.5503325e-2f;
  p = p * f + 2.4022648e-1f;
  p = p * f + 6.9314720e-1f;
  p = p * f + 1.0f;
  const auto n = static_cast<std::int32_t>(whole);
  const std::int32_t first = n >> 1, second = n - first;
  const float scaled =
      p * std::bit_cast<float>((first + 127) << 23) * std::bit_cast<float>((second + 127) << 23);
  return x != x ? canonical_nan<float>() : scaled;
}

}  // namespace klab::sim
