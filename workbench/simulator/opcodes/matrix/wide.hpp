// Products of floats from registers to registers, by vectors of sixteen. What one step stores the
// next loads whole, which the processor's store buffer needs to be fast.
#pragma once
#include <cstdint>

#include "simulator/opcodes/matrix/tensor_core.hpp"

namespace klab::sim {

// Registers of 32 words each; sums are floats. Those of mma are turned: m16n8, as the comment in
// mma.cpp says. Else they hold the matrices by rows, and n is a multiple of 16.
enum class Factor : std::uint8_t { half, bfloat, tf32 };
struct FloatFragments {
  MatrixShape shape;
  std::uint32_t depth;
  Factor factor;
  bool turned;
  std::uint32_t count_a, count_b, count_c;
  const std::uint32_t *a[8], *b[8], *c[8];
  std::uint32_t* d[8];
};

// D = A B + C. False, and nothing done, where numbers are not moderate or this was compiled without
// AVX-512; only for processors that have it.
bool multiply_wide(const FloatFragments& fragments);

// The same of doubles, m8n8k4: A and B have one register each, C and D two. False, and nothing
// done, where a NaN comes out.
struct DoubleFragments {
  bool turned;
  const double *a, *b, *c[2];
  double* d[2];
};
bool multiply_wide(const DoubleFragments& fragments);

}  // namespace klab::sim
