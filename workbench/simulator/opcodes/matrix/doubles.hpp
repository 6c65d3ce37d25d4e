// Matrices of doubles: four rows of a product, whose elements are chains of fused multiply-adds.
#pragma once
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <cmath>
#include <cstdint>

namespace klab::sim {

// Four rows of eight, the left and the right half of each where the two point.
template <class T>
struct DoubleRows {
  T *left, *right;
  std::uint32_t step;  // from row to row
};
struct alignas(64) FourByEight {
  double rows[4][8];
};

// One element. Of several NaNs that of b stays, then that of the sum.
inline double chain(const double* a, const FourByEight& b, std::uint32_t column, double sum) {
  for (std::uint32_t i = 0; i < 4; ++i) {
    const double y = b.rows[i][column], next = std::fma(a[i], y, sum);
    sum = y != y ? y + y : sum != sum ? sum + sum : next;
  }
  return sum;
}

inline void multiply_with_nans(const double* a, const FourByEight& b, DoubleRows<const double> c,
                               DoubleRows<double> d) {
  for (std::uint32_t row = 0; row < 4; ++row) {
    const double x[4] = {a[4 * row], a[4 * row + 1], a[4 * row + 2], a[4 * row + 3]};
    for (std::uint32_t column = 0; column < 4; ++column) {
      const double left = chain(x, b, column, c.left[row * c.step + column]),
                   right = chain(x, b, column + 4, c.right[row * c.step + column]);
      d.left[row * d.step + column] = left;
      d.right[row * d.step + column] = right;
    }
  }
}

// d = a b + c, with a as [4][4], k ascending. d may lie where a and c do, row by row.
inline void multiply_doubles(const double* a, const FourByEight& b, DoubleRows<const double> c,
                             DoubleRows<double> d) {
#if defined(__AVX2__)
  // The rules for NaNs matter only where one comes out.
  __m256d sums[4][2], nan = _mm256_setzero_pd();
#pragma GCC unroll 4
  for (std::uint32_t row = 0; row < 4; ++row) {
    sums[row][0] = _mm256_loadu_pd(c.left + row * c.step);
    sums[row][1] = _mm256_loadu_pd(c.right + row * c.step);
  }
#pragma GCC unroll 4
  for (std::uint32_t i = 0; i < 4; ++i) {
    const __m256d left = _mm256_load_pd(b.rows[i]), right = _mm256_load_pd(b.rows[i] + 4);
#pragma GCC unroll 4
    for (std::uint32_t row = 0; row < 4; ++row) {
      const __m256d x = _mm256_broadcast_sd(a + 4 * row + i);
      sums[row][0] = _mm256_fmadd_pd(x, left, sums[row][0]);
      sums[row][1] = _mm256_fmadd_pd(x, right, sums[row][1]);
    }
  }
#pragma GCC unroll 4
  for (std::uint32_t row = 0; row < 4; ++row)
    nan = _mm256_or_pd(nan, _mm256_cmp_pd(sums[row][0], sums[row][1], _CMP_UNORD_Q));
  if (_mm256_movemask_pd(nan) == 0) [[likely]] {
#pragma GCC unroll 4
    for (std::uint32_t row = 0; row < 4; ++row) {
      _mm256_storeu_pd(d.left + row * d.step, sums[row][0]);
      _mm256_storeu_pd(d.right + row * d.step, sums[row][1]);
    }
    return;
  }
#endif
  multiply_with_nans(a, b, c, d);
}

}  // namespace klab::sim
