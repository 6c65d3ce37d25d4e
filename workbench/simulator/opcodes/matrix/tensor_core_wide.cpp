// The sums of a tensor core by vectors of sixteen, for processors that have AVX-512.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "simulator/opcodes/matrix/tensor_core.hpp"

#if defined(__AVX2__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>
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
        _mm512_maskz_cvt_roundepi32_ps(0xffff, __m512i(x), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
  }
};

}  // namespace

bool multiply_by_sixteens(const MatrixShape& shape, std::uint32_t depth, const FloatFormat& format,
                          const float* a, const float* b, float* c) {
  if (shape.n % Sixteen::lanes != 0 || shape.m * shape.k % Sixteen::lanes != 0) return false;
  return VectorSums<Sixteen>::multiply(shape, depth, format, a, b, c);
}

#else

bool multiply_by_sixteens(const MatrixShape&, std::uint32_t, const FloatFormat&, const float*,
                          const float*, float*) {
  return false;
}

#endif

}  // namespace klab::sim
