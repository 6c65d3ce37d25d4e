// A tensor core's sums by vectors: one row of a against as many columns as a vector has lanes.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "simulator/opcodes/matrix/tensor_core.hpp"

namespace klab::sim {

// Places behind the leading one of the largest term that a term keeps.
inline constexpr int kept_bits = 25;
// The largest term counts as at least this large: for sums that are floats, or halves.
constexpr int least_top(const FloatFormat& format) { return format.half_sum ? -21 : -133; }
// What stands for the exponent of zero: below all others.
inline constexpr std::int32_t zero_exponent = -10'000;
inline constexpr std::uint32_t most_factors = 32 * 16;  // of one matrix

// What no vector does: `count` sums of one row, one after the other.
void add_slowly(const FloatFormat& format, std::uint32_t depth, std::uint32_t count, const float* a,
                const float* b, std::uint32_t b_stride, float* c);
// total * 2^(top - kept_bits), cut off; of a half_sum the last bit says whether anything was lost.
float narrow_sum(const FloatFormat& format, std::int64_t total, int top);

// The products by vectors of sixteen, which it needs; false, and nothing done, where the matrices
// don't suit them or this was compiled without.
bool multiply_by_sixteens(const MatrixShape& shape, std::uint32_t depth, const FloatFormat& format,
                          const float* a, const float* b, float* c);

// Vectors of 32-bit lanes, and the same bits as pairs of 16-bit numbers.
template <std::uint32_t Lanes>
struct Vectors {
  using Floats [[gnu::vector_size(4 * Lanes)]] = float;
  using Words [[gnu::vector_size(4 * Lanes)]] = std::int32_t;
  using Bits [[gnu::vector_size(4 * Lanes)]] = std::uint32_t;  // which may wrap around
  using Pairs [[gnu::vector_size(4 * Lanes)]] = std::int16_t;
  using Halves [[gnu::vector_size(2 * Lanes)]] = std::int16_t;
};

// `Machine` has what the compiler's vectors lack: `lanes`; any_negative(x); truncated(x): integers
// as floats, toward zero.
template <class Machine>
class VectorSums {
  static constexpr std::uint32_t lanes = Machine::lanes;
  using Floats = typename Vectors<lanes>::Floats;
  using Words = typename Vectors<lanes>::Words;
  using Bits = typename Vectors<lanes>::Bits;
  using Pairs = typename Vectors<lanes>::Pairs;
  using Halves = typename Vectors<lanes>::Halves;
  using u32 = std::uint32_t;
  using i32 = std::int32_t;

 public:
  static bool multiply(const MatrixShape& shape, u32 depth, const FloatFormat& format,
                       const float* a, const float* b, float* c) {
    return format.half_sum ? multiply<true>(shape, depth, format, a, b, c)
                           : multiply<false>(shape, depth, format, a, b, c);
  }

 private:
  template <bool HalfSum>
  static bool multiply(const MatrixShape& shape, u32 depth, const FloatFormat& format,
                       const float* a, const float* b, float* c) {
    return depth == 4   ? multiply<4, HalfSum>(shape, format, a, b, c)
           : depth == 8 ? multiply<8, HalfSum>(shape, format, a, b, c)
                        : multiply<16, HalfSum>(shape, format, a, b, c);
  }

  // False, and nothing done, where the factors are not moderate: infinite, or so large or small
  // that a product might leave a float's range. n is a multiple of `lanes`, m k one of 2 `lanes`.
  template <u32 Depth, bool HalfSum>
  static bool multiply(const MatrixShape& shape, const FloatFormat& format, const float* a,
                       const float* b, float* c) {
    alignas(64) i32 of_a[most_factors / 2], of_b[most_factors / 2];
    if (!find_exponents(shape, format, a, b, of_a, of_b)) return false;
    for (u32 column = 0; column < shape.n; column += lanes)
      for (u32 first = 0; first < shape.k; first += Depth)
        add_products<Depth, HalfSum>(shape, format, a + first, of_a + first / 2,
                                     b + first * shape.n + column,
                                     of_b + first / 2 * shape.n + column, c + column);
    return true;
  }

  template <class T, class E>
  [[gnu::always_inline]] static T load(const E* from) {
    T out;
    std::memcpy(&out, from, sizeof out);
    return out;
  }
  template <class T, class E>
  [[gnu::always_inline]] static void store(E* to, T value) {
    std::memcpy(to, &value, sizeof value);
  }
  template <class T>
  [[gnu::always_inline]] static T larger(T x, T y) {
    return x > y ? x : y;
  }

  // Those of zeros are zero_exponent; `far` collects what is out of range.
  [[gnu::always_inline]] static Words exponents(Floats x, i32 least, Words& far) {
    constexpr i32 farthest = 60;
    const Words field = (Words(x) & 0x7fffffff) >> 23, exponent = field - 127;
    const Words zero = x == 0;
    far |= ~zero & ((exponent > farthest) | (exponent < -farthest));
    return zero ? Words{} + zero_exponent : larger(exponent, Words{} + least);
  }

  // Two neighbours in k share a word: of a as [m][k / 2], of b as [k / 2][n].
  [[gnu::always_inline]] static bool find_exponents(const MatrixShape& shape,
                                                    const FloatFormat& format, const float* a,
                                                    const float* b, i32* of_a, i32* of_b) {
    const i32 least = format.least_exponent;
    Words far{};
    auto* halves = reinterpret_cast<std::int16_t*>(of_a);
    for (u32 i = 0; i < shape.m * shape.k; i += lanes)
      store(halves + i,
            __builtin_convertvector(exponents(load<Floats>(a + i), least, far), Halves));
    for (u32 k = 0; k < shape.k; k += 2)
      for (u32 column = 0; column < shape.n; column += lanes) {
        const float* at = b + k * shape.n + column;
        const Words first = exponents(load<Floats>(at), least, far),
                    second = exponents(load<Floats>(at + shape.n), least, far);
        store(of_b + k / 2 * shape.n + column, (first & 0xffff) | second << 16);
      }
    return !Machine::any_negative(far);
  }

  // As many sums of every row as there are lanes.
  template <u32 Depth, bool HalfSum>
  [[gnu::always_inline]] static void add_products(const MatrixShape& shape,
                                                  const FloatFormat& format, const float* a,
                                                  const i32* of_a, const float* b, const i32* of_b,
                                                  float* c) {
    const u32 n = shape.n;
    Floats factors[Depth];
#pragma GCC unroll 16
    for (u32 i = 0; i < Depth; ++i) factors[i] = load<Floats>(b + i * n);
    for (u32 row = 0; row < shape.m; ++row, a += shape.k, of_a += shape.k / 2, c += n) {
      const Floats addend = load<Floats>(c);
      Words top;
      if (!find_top<HalfSum>(addend, largest<Depth>(of_a, of_b, n), top)) [[unlikely]] {
        add_slowly(format, Depth, lanes, a, b, n, c);
        continue;
      }
      const Floats scale = Floats((127 + kept_bits - top) << 23);
      // Half of the products each: a sum of eight fits 32 bits.
      Words low = cut(addend * scale), high{};
#pragma GCC unroll 16
      for (u32 i = 0; i < Depth; ++i) {
        Words& sum = i % 2 == 0 ? low : high;
        sum += cut(a[i] * factors[i] * scale);
      }
      const Words sum = Words(Bits(low) + Bits(high));
      if (Machine::any_negative((low ^ sum) & (high ^ sum))) [[unlikely]]
        narrow_slowly(format, low, high, top, c);
      else
        store(c, narrow<HalfSum>(sum, top));
    }
  }

  [[gnu::always_inline]] static Words cut(Floats x) { return __builtin_convertvector(x, Words); }

  // The largest exponent among the products of each sum, two products at a time.
  template <u32 Depth>
  [[gnu::always_inline]] static Words largest(const i32* of_a, const i32* of_b, u32 n) {
    Pairs most = Pairs(Words{} + of_a[0]) + load<Pairs>(of_b);
#pragma GCC unroll 8
    for (u32 i = 1; i < Depth / 2; ++i)
      most = larger(most, Pairs(Words{} + of_a[i]) + load<Pairs>(of_b + i * n));
    return larger(Words(most) << 16 >> 16, Words(most) >> 16);
  }

  // The exponents of the largest terms, within limits; false where a scale would be out of a
  // float's range: tiny sums, infinities, NaNs and what may become infinite. Sums of zeros alone
  // are within.
  template <bool HalfSum>
  [[gnu::always_inline]] static bool find_top(Floats addend, Words products, Words& top) {
    constexpr i32 most_scaled = 120;
    if constexpr (HalfSum) {
      Words unused{};
      constexpr i32 least = least_top({.half_sum = true}), least_normal = -14;
      top = larger(larger(products, exponents(addend, least_normal, unused)), Words{} + least);
      return !Machine::any_negative(most_scaled - top);
    }
    // That of a zero or subnormal addend is too small to matter.
    constexpr i32 least = -90;
    const Words all = larger(products, ((Words(addend) & 0x7fffffff) >> 23) - 127);
    top = larger(all, Words{} + least);
    const Words outside = (all - least) | (most_scaled - all);
    if (!Machine::any_negative(outside)) [[likely]]
      return true;
    return !Machine::any_negative(outside & ~((products < zero_exponent / 2) & (addend == 0)));
  }

  // sum * 2^(top - kept_bits), cut off; `HalfSum`: the last bit says whether anything was lost.
  template <bool HalfSum>
  [[gnu::always_inline]] static Floats narrow(Words sum, Words top) {
    Floats value = Machine::truncated(sum);
    if constexpr (HalfSum) value = Floats(Words(value) | ((cut(value) != sum) & 1));
    return value * Floats((top + (127 - kept_bits)) << 23);
  }

  // Where a sum leaves 32 bits.
  [[gnu::noinline]] static void narrow_slowly(const FloatFormat& format, Words low, Words high,
                                              Words top, float* c) {
    for (u32 i = 0; i < lanes; ++i)
      c[i] = narrow_sum(format, std::int64_t{low[i]} + high[i], top[i]);
  }
};

}  // namespace klab::sim
