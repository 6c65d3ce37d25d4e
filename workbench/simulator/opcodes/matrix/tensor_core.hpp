// The arithmetic of a tensor core: one matrix product with its sum, rounded as an H200 rounds it.
#pragma once
#include <cstdint>

namespace klab::sim {

struct MatrixShape {
  std::uint32_t m = 0, n = 0, k = 0;
  bool operator==(const MatrixShape&) const = default;
};

// Of floating-point operands up to 19 bits wide and of a sum, given as floats that hold them.
struct FloatFormat {
  int least_exponent = -126;      // of normal operands: -14 for halves
  int least_sum_exponent = -126;  // of normal sums: -14 when they are halves
  bool half_sum = false;
};

// c = a b + c, with a as [m][k], b as [k][n] and c as [m][n]; n is a multiple of 8.
//
// An element of the result is a sum of `depth` products (4, 8 or 16 of the k) and of c, then of the
// next ones and of that sum. Each product is exact, cut off (not rounded) 25 places behind the
// leading one of the largest, where the largest is the one whose exponents, not yet normalized, add
// up to most; zeros don't count. The sum of what remains is exact, and is cut off to a float or
// rounded to the nearest half. So does an H200: tests/simulator/matrices.
//
// A half_sum is left in c with 24 bits, the last of which says whether anything was lost, so that
// rounding it to a half to nearest even gives the result.
void multiply_floats(const MatrixShape& shape, std::uint32_t depth, const FloatFormat& format,
                     const float* a, const float* b, float* c);

// Whether this processor has AVX-512, and with it vectors of sixteen.
bool has_sixteens();

// One sum, without vectors: what multiply_floats computes.
float fused_sum(const FloatFormat& format, std::uint32_t depth, const float* a, const float* b,
                std::uint32_t b_stride, float c);

// Exact products; sums wrap, or stop at the ends of their range once all is added. Pairs of
// neighbours in k share a word of b: b as [k / 2][n][2]. m is a multiple of 4, n of 8.
void multiply_integers(const MatrixShape& shape, const std::int16_t* a, const std::int16_t* b,
                       std::int32_t* c, bool saturate);

}  // namespace klab::sim
