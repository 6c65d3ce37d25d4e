// How tensor cores add: exactly, after cutting off what lies too far below the largest product.
#include "simulator/opcodes/matrix/tensor_core.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "simulator/opcodes/float_functions.hpp"

namespace klab::sim {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

// Places behind the leading one of the largest term that a term keeps.
constexpr int kept_bits = 25;
// The largest term counts as at least this large: for sums that are floats, or halves.
constexpr int least_top_float = -133, least_top_half = -21;
constexpr int least_top(const FloatFormat& format) {
  return format.half_sum ? least_top_half : least_top_float;
}
constexpr u32 panel = 8;  // columns of b that lie together
// What stands for the exponent of zero: below all others.
constexpr i32 zero_exponent = -10'000;

// A float as significand * 2^(exponent - 23); subnormal ones of the format keep its least exponent.
struct Split {
  i64 significand = 0;
  int exponent = zero_exponent;
};
Split split(float x, int least_exponent) {
  if (x == 0) return {};
  const int exponent = std::max(std::ilogb(x), least_exponent);
  return {static_cast<i64>(std::ldexp(x, 23 - exponent)), exponent};
}

// Toward zero, shifts beyond the width included.
i64 cut(i64 value, int places) {
  if (places >= 63) return 0;
  const i64 magnitude = (value < 0 ? -value : value) >> places;
  return value < 0 ? -magnitude : magnitude;
}

// To a float toward zero; `sticky`: the last bit says whether anything was lost.
float narrow(double exact, bool sticky) {
  constexpr u64 lost_bits = (1ull << 29) - 1;
  if (std::abs(exact) < 0x1p-126)  // subnormal; what vanishes is +0
    return static_cast<float>(std::trunc(exact * 0x1p149) * 0x1p-149) + 0.0f;
  const u64 bits = std::bit_cast<u64>(exact);
  const u64 odd = sticky && (bits & lost_bits) != 0 ? lost_bits + 1 : 0;
  return static_cast<float>(std::bit_cast<double>((bits & ~lost_bits) | odd));
}

}  // namespace

float fused_sum(const FloatFormat& format, u32 k, const float* a, const float* b, u32 b_stride,
                float c) {
  constexpr u32 most_terms = 16;
  Split terms[most_terms + 1];
  // Infinities and NaNs follow the usual rules; products alone don't overflow.
  double special = c;
  for (u32 i = 0; i < k; ++i) special += static_cast<double>(a[i]) * b[i * b_stride];
  if (!std::isfinite(special))
    return special != special ? canonical_nan<float>() : static_cast<float>(special);
  int top = least_top(format);
  for (u32 i = 0; i < k; ++i) {
    const Split x = split(a[i], format.least_exponent),
                y = split(b[i * b_stride], format.least_exponent);
    terms[i] = {x.significand * y.significand, x.exponent + y.exponent};
    top = std::max(top, terms[i].exponent);
  }
  const Split sum = split(c, format.least_sum_exponent);
  top = std::max(top, sum.exponent);
  i64 total = cut(sum.significand << (kept_bits - 23), top - sum.exponent);
  for (u32 i = 0; i < k; ++i)
    total += cut(terms[i].significand, 2 * 23 - kept_bits + top - terms[i].exponent);
  return narrow(std::ldexp(static_cast<double>(total), top - kept_bits), format.half_sum);
}

namespace {

// The exponents of the factors, and whether the vectors below may take them: no infinity or NaN, no
// product out of a float's range.
constexpr u32 most_elements = 32 * 16;
struct Exponents {
  alignas(32) i32 of[most_elements];
  bool moderate = true;
};
void find_exponents(const float* x, u32 count, int least, Exponents& out) {
  constexpr i32 farthest = 60;
  i32 high = 0, low = 0;
  for (u32 i = 0; i < count; ++i) {
    const u32 bits = std::bit_cast<u32>(x[i]);
    const i32 field = static_cast<i32>(bits >> 23 & 0xff);
    const bool zero = bits << 1 == 0;
    const i32 exponent = std::max(field - 127, least);
    out.of[i] = zero ? zero_exponent : exponent;
    const i32 seen = zero ? 0 : field - 127;
    high = std::max(high, seen);
    low = std::min(low, seen);
  }
  out.moderate = high <= farthest && low >= -farthest;
}

#if defined(__AVX2__)

__m256i exponents_of(__m256 x, int least) {
  const __m256i bits = _mm256_castps_si256(x);
  const __m256i field = _mm256_and_si256(_mm256_srli_epi32(bits, 23), _mm256_set1_epi32(0xff));
  const __m256i exponent =
      _mm256_max_epi32(_mm256_sub_epi32(field, _mm256_set1_epi32(127)), _mm256_set1_epi32(least));
  const __m256i zero = _mm256_castps_si256(_mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_EQ_OQ));
  return _mm256_blendv_epi8(exponent, _mm256_set1_epi32(zero_exponent), zero);
}

// Four exact sums of `low` and `high`, times 2^exponent, cut to floats as `narrow` does.
__m128 narrow_four(__m128i low, __m128i high, __m128i exponent, bool sticky) {
  const __m256d scale = _mm256_castsi256_pd(
      _mm256_slli_epi64(_mm256_cvtepi32_epi64(_mm_add_epi32(exponent, _mm_set1_epi32(1023))), 52));
  const __m256d exact =
      _mm256_mul_pd(_mm256_add_pd(_mm256_cvtepi32_pd(low), _mm256_cvtepi32_pd(high)), scale);
  const __m256i lost_bits = _mm256_set1_epi64x((1ll << 29) - 1);
  const __m256i bits = _mm256_castpd_si256(exact);
  __m256i kept = _mm256_andnot_si256(lost_bits, bits);
  if (sticky) {
    const __m256i nothing =
        _mm256_cmpeq_epi64(_mm256_and_si256(bits, lost_bits), _mm256_setzero_si256());
    kept = _mm256_or_si256(kept, _mm256_andnot_si256(nothing, _mm256_set1_epi64x(1ll << 29)));
  }
  return _mm256_cvtpd_ps(_mm256_castsi256_pd(kept));
}

// Eight sums of one row. False, and nothing done, where a scale would be out of a float's range.
template <u32 Depth>
bool add_eight(const FloatFormat& format, const float* a, const i32* a_exponents, const float* b,
               const i32* b_exponents, float* c) {
  constexpr i32 least_scaled = -90;
  const __m256 addend = _mm256_loadu_ps(c);
  __m256i top = exponents_of(addend, format.least_sum_exponent);
  for (u32 i = 0; i < Depth; ++i) {
    const __m256i both = _mm256_add_epi32(
        _mm256_set1_epi32(a_exponents[i]),
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b_exponents + i * panel)));
    top = _mm256_max_epi32(top, both);
  }
  // Outside the range lie tiny sums, infinities and NaNs, and sums of zeros alone.
  const __m256i scaled_top =
      _mm256_max_epi32(top, _mm256_set1_epi32(std::max(least_top(format), least_scaled)));
  const __m256i raised = _mm256_cmpgt_epi32(scaled_top, top),
                nothing = _mm256_cmpgt_epi32(_mm256_set1_epi32(zero_exponent / 2), top),
                infinite = _mm256_cmpgt_epi32(top, _mm256_set1_epi32(127));
  const __m256i wrong =
      format.half_sum ? infinite : _mm256_or_si256(_mm256_andnot_si256(nothing, raised), infinite);
  if (_mm256_movemask_epi8(wrong) != 0) [[unlikely]]
    return false;
  const __m256 scale = _mm256_castsi256_ps(
      _mm256_slli_epi32(_mm256_sub_epi32(_mm256_set1_epi32(127 + kept_bits), scaled_top), 23));
  const auto scaled = [&](__m256 x) { return _mm256_cvttps_epi32(_mm256_mul_ps(x, scale)); };
  // Half of the products each: a sum of eight fits 32 bits.
  __m256i low = scaled(addend), high = _mm256_setzero_si256();
  for (u32 i = 0; i < Depth; ++i) {
    const __m256i product =
        scaled(_mm256_mul_ps(_mm256_set1_ps(a[i]), _mm256_loadu_ps(b + i * panel)));
    __m256i& sum = i < 8 ? low : high;
    sum = _mm256_add_epi32(sum, product);
  }
  const __m256i exponent = _mm256_sub_epi32(scaled_top, _mm256_set1_epi32(kept_bits));
  const auto four = [&](int half) {
    const auto part = [&](__m256i x) {
      return half == 0 ? _mm256_castsi256_si128(x) : _mm256_extracti128_si256(x, 1);
    };
    return narrow_four(part(low), part(high), part(exponent), format.half_sum);
  };
  _mm256_storeu_ps(c, _mm256_set_m128(four(1), four(0)));
  return true;
}

#else

template <u32 Depth>
bool add_eight(const FloatFormat&, const float*, const i32*, const float*, const i32*, float*) {
  return false;
}

#endif

template <u32 Depth>
void multiply(const MatrixShape& shape, const FloatFormat& format, const float* a, const float* b,
              float* c) {
  Exponents of_a, of_b;
  find_exponents(a, shape.m * shape.k, format.least_exponent, of_a);
  find_exponents(b, shape.n * shape.k, format.least_exponent, of_b);
  const bool moderate = of_a.moderate && of_b.moderate;
  for (u32 column = 0; column < shape.n; column += panel)
    for (u32 row = 0; row < shape.m; ++row)
      for (u32 first = 0; first < shape.k; first += Depth) {
        float* sums = c + row * shape.n + column;
        const u32 at_a = row * shape.k + first, at_b = column * shape.k + first * panel;
        if (moderate && add_eight<Depth>(format, a + at_a, of_a.of + at_a, b + at_b, of_b.of + at_b,
                                         sums)) [[likely]]
          continue;
        for (u32 i = 0; i < panel; ++i)
          sums[i] = fused_sum(format, Depth, a + at_a, b + at_b + i, panel, sums[i]);
      }
}

}  // namespace

void multiply_floats(const MatrixShape& shape, u32 depth, const FloatFormat& format, const float* a,
                     const float* b, float* c) {
  if (depth == 4) return multiply<4>(shape, format, a, b, c);
  if (depth == 8) return multiply<8>(shape, format, a, b, c);
  multiply<16>(shape, format, a, b, c);
}

void multiply_doubles(const MatrixShape& shape, const double* a, const double* b, double* c) {
  for (u32 row = 0; row < shape.m; ++row)
    for (u32 i = 0; i < shape.k; ++i)
      for (u32 column = 0; column < shape.n; ++column) {
        double& sum = c[row * shape.n + column];
        const double x = a[row * shape.k + i], y = b[i * shape.n + column];
        const double next = std::fma(x, y, sum);
        sum = y != y ? y + y : sum != sum ? sum + sum : next;
      }
}

void multiply_integers(const MatrixShape& shape, const i16* a, const i16* b, i32* c,
                       bool saturate) {
  constexpr i64 least = std::numeric_limits<i32>::min(), most = std::numeric_limits<i32>::max();
  constexpr u32 most_columns = 32;
  for (u32 row = 0; row < shape.m; ++row) {
    i32 sums[most_columns] = {};
    for (u32 i = 0; i < shape.k; i += 2) {
      const i32 first = a[row * shape.k + i], second = a[row * shape.k + i + 1];
      const i16* pairs = b + i * shape.n;
      for (u32 column = 0; column < shape.n; ++column)
        sums[column] += first * pairs[2 * column] + second * pairs[2 * column + 1];
    }
    i32* out = c + row * shape.n;
    for (u32 column = 0; column < shape.n; ++column) {
      const i64 sum = i64{out[column]} + sums[column];
      out[column] = static_cast<i32>(saturate ? std::clamp(sum, least, most) : sum);
    }
  }
}

}  // namespace klab::sim
