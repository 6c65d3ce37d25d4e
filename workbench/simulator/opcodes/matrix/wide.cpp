// The sums of a tensor core by vectors of sixteen, for processors that have AVX-512, and what leads
// to them.
#include "simulator/opcodes/matrix/wide.hpp"

#include <cstdint>

#if defined(__AVX2__) && defined(__GNUC__) && !defined(__clang__)
// GCC 12 takes its own header for careless: what a mask leaves out has no value.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#define KLAB_SIXTEENS
// What follows is compiled for them, and what is above is not.
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl")
#endif

#include "simulator/opcodes/matrix/vector_sums.hpp"

namespace klab::sim {

#if defined(KLAB_SIXTEENS)

namespace {

struct Sixteen {
  static constexpr std::uint32_t lanes = 16;
  using Words = Vectors<lanes>::Words;
  static bool any_negative(Words x) { return _mm512_movepi32_mask(__m512i(x)) != 0; }
  static Vectors<lanes>::Floats truncated(Words x) {
    return Vectors<lanes>::Floats(
        _mm512_cvt_roundepi32_ps(__m512i(x), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
  }
};

using u32 = std::uint32_t;

// By halves: what a load from memory stored is not wider than that.
__m512i load(const u32* from) {
  const __m256i* halves = reinterpret_cast<const __m256i*>(from);
  return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(halves)),
                            _mm256_loadu_si256(halves + 1), 1);
}
void store(void* to, __m512i value) { _mm512_storeu_si512(to, value); }
void store(float* to, __m512 value) { _mm512_storeu_ps(to, value); }

struct Columns {
  __m512i of[4];
};

// Four words of rows 0 to 7, and of 8 to 15, in two registers: to four columns of sixteen.
Columns turn(const u32* low, const u32* high) {
  const __m512i left = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29),
                right = _mm512_add_epi32(left, _mm512_set1_epi32(2));
  const __m512i l0 = load(low), l1 = load(low + 16), h0 = load(high), h1 = load(high + 16);
  const __m512i low_left = _mm512_permutex2var_epi32(l0, left, l1),
                low_right = _mm512_permutex2var_epi32(l0, right, l1),
                high_left = _mm512_permutex2var_epi32(h0, left, h1),
                high_right = _mm512_permutex2var_epi32(h0, right, h1);
  return {{_mm512_shuffle_i64x2(low_left, high_left, 0x44),
           _mm512_shuffle_i64x2(low_left, high_left, 0xee),
           _mm512_shuffle_i64x2(low_right, high_right, 0x44),
           _mm512_shuffle_i64x2(low_right, high_right, 0xee)}};
}
// And back.
void turn_back(const Columns& columns, u32* low, u32* high) {
  const __m512i first = _mm512_setr_epi32(0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27),
                second = _mm512_add_epi32(first, _mm512_set1_epi32(4));
  const auto& [x0, x1, x2, x3] = columns.of;
  const __m512i low_left = _mm512_shuffle_i64x2(x0, x1, 0x44),
                low_right = _mm512_shuffle_i64x2(x2, x3, 0x44),
                high_left = _mm512_shuffle_i64x2(x0, x1, 0xee),
                high_right = _mm512_shuffle_i64x2(x2, x3, 0xee);
  store(low, _mm512_permutex2var_epi32(low_left, first, low_right));
  store(low + 16, _mm512_permutex2var_epi32(low_left, second, low_right));
  store(high, _mm512_permutex2var_epi32(high_left, first, high_right));
  store(high + 16, _mm512_permutex2var_epi32(high_left, second, high_right));
}

// Tensor cores read only the upper 19 bits of a tf32 operand.
__m512i read_bits(__m512i x) { return _mm512_andnot_si512(_mm512_set1_epi32(0x1fff), x); }
__m512i bfloats(__m256i x) { return _mm512_slli_epi32(_mm512_cvtepu16_epi32(x), 16); }
__m512 halves(__m256i x) { return _mm512_cvtph_ps(x); }

// Sixteen words of A, of one k or two, to rows of b.
template <Factor Kind>
float* unpack_column(__m512i words, float* out) {
  if constexpr (Kind == Factor::tf32) {
    store(out, read_bits(words));
    return out + 16;
  } else if constexpr (Kind == Factor::bfloat) {
    store(out, _mm512_slli_epi32(words, 16));
    store(out + 16, _mm512_and_si512(words, _mm512_set1_epi32(static_cast<int>(0xffff0000))));
  } else {
    const __m512i high = _mm512_srli_epi32(words, 16);
    store(out, halves(_mm512_cvtepi32_epi16(words)));
    store(out + 16, halves(_mm512_cvtepi32_epi16(high)));
  }
  return out + 32;
}

// Sixteen words of B, which lie as a does.
template <Factor Kind>
float* unpack_words(__m512i words, float* out) {
  const __m256i low = _mm512_castsi512_si256(words), high = _mm512_extracti64x4_epi64(words, 1);
  if constexpr (Kind == Factor::tf32) {
    store(out, read_bits(words));
    return out + 16;
  } else if constexpr (Kind == Factor::bfloat) {
    store(out, bfloats(low));
    store(out + 16, bfloats(high));
  } else {
    store(out, halves(low));
    store(out + 16, halves(high));
  }
  return out + 32;
}

template <Factor Kind>
FloatFormat format_of() {
  FloatFormat format;
  format.least_exponent = Kind == Factor::half ? -14 : -126;
  return format;
}

template <Factor Kind>
bool multiply_turned(const FloatFragments& f) {
  constexpr u32 m = 16, n = 8, most_k = 16;
  const u32 k = f.shape.k, pairs = f.count_b;  // of registers of A: four words of k each
  alignas(64) float a[n * most_k], b[most_k * m], c[n * m];
  float* to = b;
  for (u32 pair = 0; pair < pairs; ++pair) {
    const Columns columns = turn(f.a[2 * pair], f.a[2 * pair + 1]);
    for (const __m512i words : columns.of) to = unpack_column<Kind>(words, to);
  }
  to = a;
  const __m512i rows = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23),
                later = _mm512_add_epi32(rows, _mm512_set1_epi32(8));
  for (u32 i = 0; i < 32; i += 16)
    if (pairs == 1) {
      to = unpack_words<Kind>(load(f.b[0] + i), to);
    } else {
      const __m512i first = load(f.b[0] + i), second = load(f.b[1] + i);
      to = unpack_words<Kind>(_mm512_permutex2var_epi32(first, rows, second), to);
      to = unpack_words<Kind>(_mm512_permutex2var_epi32(first, later, second), to);
    }
  for (u32 odd = 0; odd < 2; ++odd) {
    const Columns columns = turn(f.c[odd], f.c[odd + 2]);
    for (u32 i = 0; i < 4; ++i) store(c + (2 * i + odd) * m, columns.of[i]);
  }
  if (!VectorSums<Sixteen>::multiply({n, m, k}, f.depth, format_of<Kind>(), a, b, c)) return false;
  for (u32 odd = 0; odd < 2; ++odd) {
    Columns columns;
    for (u32 i = 0; i < 4; ++i) columns.of[i] = _mm512_loadu_si512(c + (2 * i + odd) * m);
    turn_back(columns, f.d[odd], f.d[odd + 2]);
  }
  return true;
}

template <Factor Kind>
bool multiply_rows(const FloatFragments& f) {
  alignas(64) float a[most_factors], b[most_factors], c[most_factors];
  float* to = a;
  for (u32 i = 0; i < 2 * f.count_a; ++i)
    to = unpack_words<Kind>(load(f.a[i / 2] + i % 2 * 16), to);
  to = b;
  for (u32 i = 0; i < 2 * f.count_b; ++i)
    to = unpack_words<Kind>(load(f.b[i / 2] + i % 2 * 16), to);
  for (u32 i = 0; i < 2 * f.count_c; ++i) store(c + 16 * i, load(f.c[i / 2] + i % 2 * 16));
  if (!VectorSums<Sixteen>::multiply(f.shape, f.depth, format_of<Kind>(), a, b, c)) return false;
  for (u32 i = 0; i < 2 * f.count_c; ++i)
    store(f.d[i / 2] + i % 2 * 16, _mm512_loadu_si512(c + 16 * i));
  return true;
}

template <Factor Kind>
bool multiply(const FloatFragments& fragments) {
  return fragments.turned ? multiply_turned<Kind>(fragments) : multiply_rows<Kind>(fragments);
}

// B's rows, of even columns and of odd ones, twice each: for two rows of C.
struct Rows {
  __m512d of[4];
};
Rows rows_of(const double* columns) {
  const auto column = [&](u32 i) { return _mm256_loadu_pd(columns + 8 * i); };
  const __m256d x0 = column(0), x1 = column(1), x2 = column(2), x3 = column(3);
  const __m256d even = _mm256_unpacklo_pd(x0, x1), odd = _mm256_unpackhi_pd(x0, x1),
                even_on = _mm256_unpacklo_pd(x2, x3), odd_on = _mm256_unpackhi_pd(x2, x3);
  return {{_mm512_broadcast_f64x4(_mm256_permute2f128_pd(even, even_on, 0x20)),
           _mm512_broadcast_f64x4(_mm256_permute2f128_pd(odd, odd_on, 0x20)),
           _mm512_broadcast_f64x4(_mm256_permute2f128_pd(even, even_on, 0x31)),
           _mm512_broadcast_f64x4(_mm256_permute2f128_pd(odd, odd_on, 0x31))}};
}

__m512d load(const double* from) {
  return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(from)),
                            _mm256_loadu_pd(from + 4), 1);
}

bool store_sums(const __m512d (&sums)[8], double* const (&d)[2]) {
  __mmask8 nan = 0;
  for (u32 i = 0; i < 8; i += 2)
    nan = static_cast<__mmask8>(nan | _mm512_cmp_pd_mask(sums[i], sums[i + 1], _CMP_UNORD_Q));
  if (nan != 0) return false;
  for (u32 i = 0; i < 8; ++i) _mm512_storeu_pd(d[i / 4] + 8 * (i % 4), sums[i]);
  return true;
}

// A vector is two rows of a register.
bool multiply_turned(const DoubleFragments& f) {
  const Rows even = rows_of(f.b), odd = rows_of(f.b + 4);
  __m512d sums[8];
  for (u32 pair = 0; pair < 4; ++pair) {
    const __m512d a = load(f.a + 8 * pair);
    const __m512d k[4] = {_mm512_permutex_pd(a, 0x00), _mm512_permutex_pd(a, 0x55),
                          _mm512_permutex_pd(a, 0xaa), _mm512_permutex_pd(a, 0xff)};
    __m512d left = _mm512_loadu_pd(f.c[0] + 8 * pair), right = _mm512_loadu_pd(f.c[1] + 8 * pair);
    for (u32 i = 0; i < 4; ++i) {
      left = _mm512_fmadd_pd(k[i], even.of[i], left);
      right = _mm512_fmadd_pd(k[i], odd.of[i], right);
    }
    sums[pair] = left;
    sums[4 + pair] = right;
  }
  return store_sums(sums, f.d);
}

// A vector is a row.
bool multiply_rows(const DoubleFragments& f) {
  __m512d sums[8];
  for (u32 row = 0; row < 8; ++row) sums[row] = _mm512_loadu_pd(f.c[row / 4] + 8 * (row % 4));
  for (u32 i = 0; i < 4; ++i) {
    const __m512d b = load(f.b + 8 * i);
    for (u32 row = 0; row < 8; ++row)
      sums[row] = _mm512_fmadd_pd(_mm512_set1_pd(f.a[4 * row + i]), b, sums[row]);
  }
  return store_sums(sums, f.d);
}

}  // namespace

bool multiply_wide(const DoubleFragments& fragments) {
  return fragments.turned ? multiply_turned(fragments) : multiply_rows(fragments);
}

bool multiply_wide(const FloatFragments& fragments) {
  if (fragments.factor == Factor::half) return multiply<Factor::half>(fragments);
  if (fragments.factor == Factor::bfloat) return multiply<Factor::bfloat>(fragments);
  return multiply<Factor::tf32>(fragments);
}

bool multiply_by_sixteens(const MatrixShape& shape, std::uint32_t depth, const FloatFormat& format,
                          const float* a, const float* b, float* c) {
  if (shape.n % Sixteen::lanes != 0 || shape.m * shape.k % Sixteen::lanes != 0) return false;
  return VectorSums<Sixteen>::multiply(shape, depth, format, a, b, c);
}

#else

bool multiply_wide(const FloatFragments&) { return false; }
bool multiply_wide(const DoubleFragments&) { return false; }
bool multiply_by_sixteens(const MatrixShape&, std::uint32_t, const FloatFormat&, const float*,
                          const float*, float*) {
  return false;
}

#endif

}  // namespace klab::sim
