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
#include "simulator/opcodes/matrix/vector_sums.hpp"

namespace klab::sim {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

constexpr u32 panel = 8;  // sums at a time

// A float as significand * 2^(exponent - 23); subnormal ones of the format keep its least exponent.
struct Unpacked {
  i64 significand = 0;
  int exponent = zero_exponent;
};
Unpacked unpack(float x, int least_exponent) {
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
  Unpacked terms[most_terms + 1];
  // Infinities and NaNs follow the usual rules; products alone don't overflow.
  double special = c;
  for (u32 i = 0; i < k; ++i) special += static_cast<double>(a[i]) * b[i * b_stride];
  if (!std::isfinite(special))
    return special != special ? canonical_nan<float>() : static_cast<float>(special);
  int top = least_top(format);
  for (u32 i = 0; i < k; ++i) {
    const Unpacked x = unpack(a[i], format.least_exponent),
                   y = unpack(b[i * b_stride], format.least_exponent);
    terms[i] = {x.significand * y.significand, x.exponent + y.exponent};
    top = std::max(top, terms[i].exponent);
  }
  const Unpacked sum = unpack(c, format.least_sum_exponent);
  top = std::max(top, sum.exponent);
  i64 total = cut(sum.significand << (kept_bits - 23), top - sum.exponent);
  for (u32 i = 0; i < k; ++i)
    total += cut(terms[i].significand, 2 * 23 - kept_bits + top - terms[i].exponent);
  return narrow_sum(format, total, top);
}

float narrow_sum(const FloatFormat& format, i64 total, int top) {
  return narrow(std::ldexp(static_cast<double>(total), top - kept_bits), format.half_sum);
}

namespace {

#if defined(__AVX2__)

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

struct Eight {
  static constexpr u32 lanes = 8;
  using Words = Vectors<lanes>::Words;
  static bool any_negative(Words x) { return _mm256_movemask_ps(__m256(x)) != 0; }
  // By the processor's mode.
  static Vectors<lanes>::Floats truncated(Words x) {
    return Vectors<lanes>::Floats(_mm256_cvtepi32_ps(__m256i(x)));
  }
};

[[gnu::noinline]] bool multiply_truncating(const MatrixShape& shape, u32 depth,
                                           const FloatFormat& format, const float* a,
                                           const float* b, float* c) {
  return VectorSums<Eight>::multiply(shape, depth, format, a, b, c);
}
bool multiply_by_eights(const MatrixShape& shape, u32 depth, const FloatFormat& format,
                        const float* a, const float* b, float* c) {
  const Rounding toward_zero(_MM_ROUND_TOWARD_ZERO);
  return multiply_truncating(shape, depth, format, a, b, c);
}

#endif

[[gnu::noinline]] void add_rounded(const FloatFormat& format, u32 depth, u32 count, const float* a,
                                   const float* b, u32 b_stride, float* c) {
  for (u32 i = 0; i < count; ++i) c[i] = fused_sum(format, depth, a, b + i, b_stride, c[i]);
}

}  // namespace

void add_slowly(const FloatFormat& format, u32 depth, u32 count, const float* a, const float* b,
                u32 b_stride, float* c) {
#if defined(__AVX2__)
  const Rounding nearest(_MM_ROUND_NEAREST);
#endif
  add_rounded(format, depth, count, a, b, b_stride, c);
}

bool has_sixteens() {
#if defined(__AVX2__)
  static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return has;
#else
  return false;
#endif
}

void multiply_floats(const MatrixShape& shape, u32 depth, const FloatFormat& format, const float* a,
                     const float* b, float* c) {
#if defined(__AVX2__)
  if (has_sixteens() && multiply_by_sixteens(shape, depth, format, a, b, c)) return;
  if (multiply_by_eights(shape, depth, format, a, b, c)) return;
#endif
  for (u32 row = 0; row < shape.m; ++row)
    for (u32 first = 0; first < shape.k; first += depth)
      add_slowly(format, depth, shape.n, a + row * shape.k + first, b + first * shape.n, shape.n,
                 c + row * shape.n);
}

namespace {

// A sum of products; b: pairs of neighbours in k, `step` numbers from one pair to the next.
i64 sum_one(const i16* a, u32 k, const i16* b, u32 step) {
  i64 sum = 0;
  for (u32 i = 0; i < k; i += 2, b += step) sum += a[i] * b[0] + a[i + 1] * b[1];
  return sum;
}

#if defined(__AVX2__)
// Eight of four rows each are added to c, which wraps.
void add_four_rows(const MatrixShape& shape, const i16* a, const i16* b, i32* c) {
  const auto at = [&](u32 row) { return reinterpret_cast<__m256i*>(c + row * shape.n); };
  __m256i sums[4];
  for (u32 row = 0; row < 4; ++row) sums[row] = _mm256_loadu_si256(at(row));
  for (u32 i = 0; i < shape.k; i += 2, b += 2 * shape.n) {
    const __m256i pairs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b));
#pragma GCC unroll 4
    for (u32 row = 0; row < 4; ++row) {
      i32 pair;
      std::memcpy(&pair, a + row * shape.k + i, sizeof pair);
      sums[row] = _mm256_add_epi32(sums[row], _mm256_madd_epi16(_mm256_set1_epi32(pair), pairs));
    }
  }
  for (u32 row = 0; row < 4; ++row) _mm256_storeu_si256(at(row), sums[row]);
}
#endif

}  // namespace

void multiply_integers(const MatrixShape& shape, const i16* a, const i16* b, i32* c,
                       bool saturate) {
#if defined(__AVX2__)
  if (!saturate) {
    for (u32 first = 0; first < shape.n; first += panel)
      for (u32 row = 0; row < shape.m; row += 4)
        add_four_rows(shape, a + row * shape.k, b + 2 * first, c + row * shape.n + first);
    return;
  }
#endif
  constexpr i64 least = std::numeric_limits<i32>::min(), most = std::numeric_limits<i32>::max();
  for (u32 row = 0; row < shape.m; ++row)
    for (u32 column = 0; column < shape.n; ++column) {
      i32& out = c[row * shape.n + column];
      const i64 sum = out + sum_one(a + row * shape.k, shape.k, b + 2 * column, 2 * shape.n);
      out = static_cast<i32>(saturate ? std::clamp(sum, least, most) : sum);
    }
}

}  // namespace klab::sim
