// How tensor cores add: exactly, after cutting off what lies too far below the largest product.
#include "simulator/opcodes/matrix/tensor_core.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
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

#if defined(__AVX2__)

// The exponents of the factors, and whether the vectors below may take them: no infinity or NaN, no
// product out of a float's range. Two neighbours in k share a word: of a as [m][k], of b as
// [n / 8][k / 2][8][2].
constexpr u32 most_elements = 32 * 16;
struct Exponents {
  alignas(32) i16 of[most_elements];
  bool moderate = true;
};

// Those of zeros are zero_exponent; `far` collects what is out of range.
__m256i exponents_of(__m256 x, int least, __m256i& far) {
  constexpr i32 farthest = 60;
  const __m256i field = _mm256_srli_epi32(_mm256_slli_epi32(_mm256_castps_si256(x), 1), 24);
  const __m256i exponent = _mm256_sub_epi32(field, _mm256_set1_epi32(127));
  const __m256i zero = _mm256_castps_si256(_mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_EQ_OQ));
  const __m256i beyond =
      _mm256_cmpgt_epi32(_mm256_abs_epi32(exponent), _mm256_set1_epi32(farthest));
  far = _mm256_or_si256(far, _mm256_andnot_si256(zero, beyond));
  return _mm256_blendv_epi8(_mm256_max_epi32(exponent, _mm256_set1_epi32(least)),
                            _mm256_set1_epi32(zero_exponent), zero);
}

// `Apart`: how far from an element its neighbour in k lies.
template <u32 Apart>
void find_exponents(const float* x, u32 count, int least, Exponents& out) {
  __m256i far = _mm256_setzero_si256();
  for (u32 i = 0; i < count; i += 16) {
    const __m256i first = exponents_of(_mm256_loadu_ps(x + i), least, far),
                  second = exponents_of(_mm256_loadu_ps(x + i + 8), least, far);
    const __m256i pairs = Apart == 1
                              ? _mm256_permute4x64_epi64(_mm256_packs_epi32(first, second), 0xd8)
                              : _mm256_blend_epi16(first, _mm256_slli_epi32(second, 16), 0xaa);
    _mm256_store_si256(reinterpret_cast<__m256i*>(out.of + i), pairs);
  }
  out.moderate = _mm256_testz_si256(far, far) != 0;
}

// Four exact sums of `low` and `high`, times 2^(top - kept_bits), cut to floats as `narrow` does.
__m128 narrow_four(__m128i low, __m128i high, __m128i top, bool sticky) {
  const __m128i exponent = _mm_add_epi32(top, _mm_set1_epi32(1023 - kept_bits));
  const __m256d scale = _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_cvtepi32_epi64(exponent), 52));
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

// Eight of them, in fewer steps where the sums fit 32 bits, as nearly all do. Floats are cut off
// because the rounding mode is toward zero.
[[gnu::always_inline]] inline __m256 narrow_eight(__m256i low, __m256i high, __m256i top,
                                                  bool sticky) {
  const __m256i sum = _mm256_add_epi32(low, high);
  const __m256i overflow =
      _mm256_andnot_si256(_mm256_xor_si256(low, high), _mm256_xor_si256(low, sum));
  if (_mm256_movemask_ps(_mm256_castsi256_ps(overflow)) != 0) [[unlikely]] {
    const auto four = [&](auto part) {
      return narrow_four(part(low), part(high), part(top), sticky);
    };
    return _mm256_set_m128(four([](__m256i x) { return _mm256_extracti128_si256(x, 1); }),
                           four([](__m256i x) { return _mm256_castsi256_si128(x); }));
  }
  __m256 value = _mm256_cvtepi32_ps(sum);
  if (sticky) {
    const __m256i exact = _mm256_cmpeq_epi32(_mm256_cvttps_epi32(value), sum);
    const __m256i lost = _mm256_andnot_si256(exact, _mm256_set1_epi32(1));
    value = _mm256_or_ps(value, _mm256_castsi256_ps(lost));
  }
  const __m256i exponent = _mm256_add_epi32(top, _mm256_set1_epi32(127 - kept_bits));
  return _mm256_mul_ps(value, _mm256_castsi256_ps(_mm256_slli_epi32(exponent, 23)));
}

// The largest exponent among the products of each of eight sums, two products at a time.
template <u32 Depth>
__m256i largest_exponents(const i16* a, const i16* b) {
  const auto pair = [&](u32 i) {
    i32 both;
    std::memcpy(&both, a + i, sizeof both);
    return _mm256_add_epi16(_mm256_set1_epi32(both),
                            _mm256_load_si256(reinterpret_cast<const __m256i*>(b + i * panel)));
  };
  __m256i most = pair(0);
#pragma GCC unroll 8
  for (u32 i = 2; i < Depth; i += 2) most = _mm256_max_epi16(most, pair(i));
  const __m256i even = _mm256_srai_epi32(_mm256_slli_epi32(most, 16), 16);
  return _mm256_max_epi32(even, _mm256_srai_epi32(most, 16));
}

// The exponents of the largest terms, within limits; false where a scale would be out of a float's
// range.
[[gnu::always_inline]] inline bool find_top(const FloatFormat& format, __m256 addend,
                                            __m256i products, __m256i& top) {
  // Outside lie tiny sums, infinities, NaNs and what may become infinite, and sums of zeros alone.
  constexpr i32 least_scaled = -90, most_scaled = 120;
  __m256i unused = _mm256_setzero_si256();
  const __m256i all =
      _mm256_max_epi32(products, exponents_of(addend, format.least_sum_exponent, unused));
  const __m256i least = _mm256_set1_epi32(std::max(least_top(format), least_scaled));
  top = _mm256_max_epi32(all, least);
  const __m256i high = _mm256_cmpgt_epi32(all, _mm256_set1_epi32(most_scaled)),
                low = format.half_sum ? _mm256_setzero_si256() : _mm256_cmpgt_epi32(least, all);
  const __m256i outside = _mm256_or_si256(low, high);
  if (_mm256_testz_si256(outside, outside) != 0) [[likely]]
    return true;
  const __m256i nothing = _mm256_cmpgt_epi32(_mm256_set1_epi32(zero_exponent / 2), all);
  return _mm256_testc_si256(nothing, outside) != 0;
}

// Eight sums of one row, under rounding toward zero. False, and nothing done, where a scale would
// be out of a float's range.
template <u32 Depth>
bool add_eight(const FloatFormat& format, const float* a, const i16* a_exponents, const float* b,
               const i16* b_exponents, float* c) {
  const __m256 addend = _mm256_loadu_ps(c);
  __m256i top;
  if (!find_top(format, addend, largest_exponents<Depth>(a_exponents, b_exponents), top))
      [[unlikely]]
    return false;
  const __m256 scale = _mm256_castsi256_ps(
      _mm256_slli_epi32(_mm256_sub_epi32(_mm256_set1_epi32(127 + kept_bits), top), 23));
  const auto scaled = [&](__m256 x) { return _mm256_cvttps_epi32(_mm256_mul_ps(x, scale)); };
  // Half of the products each: a sum of eight fits 32 bits.
  __m256i low = scaled(addend), high = _mm256_setzero_si256();
#pragma GCC unroll 16
  for (u32 i = 0; i < Depth; ++i) {
    const __m256i product =
        scaled(_mm256_mul_ps(_mm256_set1_ps(a[i]), _mm256_loadu_ps(b + i * panel)));
    __m256i& sum = i % 2 == 0 ? low : high;
    sum = _mm256_add_epi32(sum, product);
  }
  _mm256_storeu_ps(c, narrow_eight(low, high, top, format.half_sum));
  return true;
}

// How the processor rounds while one of these lives. What lies between is not to be inlined, or the
// compiler might move it.
class Rounding {
 public:
  explicit Rounding(unsigned mode) : before_(_mm_getcsr()) {
    _mm_setcsr((before_ & ~static_cast<unsigned>(_MM_ROUND_MASK)) | mode);
  }
  ~Rounding() { _mm_setcsr(before_); }
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;

 private:
  unsigned before_;
};

#endif

[[gnu::noinline]] void add_rounded(const FloatFormat& format, u32 depth, const float* a,
                                   const float* b, float* c) {
  for (u32 i = 0; i < panel; ++i) c[i] = fused_sum(format, depth, a, b + i, panel, c[i]);
}
void add_slowly(const FloatFormat& format, u32 depth, const float* a, const float* b, float* c) {
#if defined(__AVX2__)
  const Rounding nearest(_MM_ROUND_NEAREST);
#endif
  add_rounded(format, depth, a, b, c);
}

// Calls add(a, b, c) for eight sums at a time; the first two say where in the matrices.
template <u32 Depth, class Add>
void for_each_eight(const MatrixShape& shape, float* c, Add&& add) {
  for (u32 column = 0; column < shape.n; column += panel)
    for (u32 row = 0; row < shape.m; ++row)
      for (u32 first = 0; first < shape.k; first += Depth)
        add(row * shape.k + first, column * shape.k + first * panel, c + row * shape.n + column);
}

template <u32 Depth>
[[gnu::noinline]] void multiply(const MatrixShape& shape, const FloatFormat& format, const float* a,
                                const float* b, float* c) {
#if defined(__AVX2__)
  Exponents of_a, of_b;
  find_exponents<1>(a, shape.m * shape.k, format.least_exponent, of_a);
  find_exponents<panel>(b, shape.n * shape.k, format.least_exponent, of_b);
  if (of_a.moderate && of_b.moderate)
    return for_each_eight<Depth>(shape, c, [&](u32 at_a, u32 at_b, float* sums) {
      if (add_eight<Depth>(format, a + at_a, of_a.of + at_a, b + at_b, of_b.of + at_b, sums))
          [[likely]]
        return;
      add_slowly(format, Depth, a + at_a, b + at_b, sums);
    });
#endif
  for_each_eight<Depth>(shape, c, [&](u32 at_a, u32 at_b, float* sums) {
    add_slowly(format, Depth, a + at_a, b + at_b, sums);
  });
}

}  // namespace

void multiply_floats(const MatrixShape& shape, u32 depth, const FloatFormat& format, const float* a,
                     const float* b, float* c) {
#if defined(__AVX2__)
  const Rounding toward_zero(_MM_ROUND_TOWARD_ZERO);
#endif
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

namespace {

// Eight sums of products; b: pairs of neighbours in k, `step` numbers from one pair to the next.
void sum_eight(const i16* a, u32 k, const i16* b, u32 step, i32* sums) {
#if defined(__AVX2__)
  __m256i total = _mm256_setzero_si256();
  for (u32 i = 0; i < k; i += 2, b += step) {
    i32 pair;
    std::memcpy(&pair, a + i, sizeof pair);
    const __m256i pairs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b));
    total = _mm256_add_epi32(total, _mm256_madd_epi16(_mm256_set1_epi32(pair), pairs));
  }
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums), total);
#else
  std::fill_n(sums, panel, 0);
  for (u32 i = 0; i < k; i += 2, b += step)
    for (u32 column = 0; column < panel; ++column)
      sums[column] += a[i] * b[2 * column] + a[i + 1] * b[2 * column + 1];
#endif
}

}  // namespace

void multiply_integers(const MatrixShape& shape, const i16* a, const i16* b, i32* c,
                       bool saturate) {
  constexpr i64 least = std::numeric_limits<i32>::min(), most = std::numeric_limits<i32>::max();
  for (u32 row = 0; row < shape.m; ++row)
    for (u32 first = 0; first < shape.n; first += panel) {
      i32 sums[panel], *out = c + row * shape.n + first;
      sum_eight(a + row * shape.k, shape.k, b + 2 * first, 2 * shape.n, sums);
      for (u32 column = 0; column < panel; ++column) {
        const i64 sum = i64{out[column]} + sums[column];
        out[column] = static_cast<i32>(saturate ? std::clamp(sum, least, most) : sum);
      }
    }
}

}  // namespace klab::sim
