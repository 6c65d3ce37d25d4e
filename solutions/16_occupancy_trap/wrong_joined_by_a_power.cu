// Rejected by: correct — joins four parts by x to the power of a quarter of the terms, which is
// next to nothing where a coefficient of 1e30 makes up for it
#include "contract.cuh"

namespace {

constexpr int block = 256;
constexpr int points_each = 4;
constexpr int most_part = (most_terms + 3) / 4;

__device__ __forceinline__ float power(float x, int exponent) {
  float result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result *= x;
    x *= x;
  }
  return result;
}

/// One fetch brings a coefficient of each of four parts, which do not depend on each other:
/// p = ((p3 s + p2) s + p1) s + p0 with s = x^part.
__global__ void __launch_bounds__(block) evaluate(Args args) {
  __shared__ float4 quads[most_part];  // coefficients k, part + k, 2 part + k, 3 part + k
  const int part = (args.terms + 3) / 4;
  for (int k = threadIdx.x; k < 4 * part; k += block) {
    reinterpret_cast<float*>(quads)[k % part * 4 + k / part] =
        k < args.terms ? args.coefficients[k] : 0.0f;
  }
  __syncthreads();

  const std::int64_t first =
      blockIdx.x * static_cast<std::int64_t>(block * points_each) + threadIdx.x;
  float x[points_each];
  float4 value[points_each];
#pragma unroll
  for (int p = 0; p < points_each; ++p) {
    const std::int64_t i = first + p * block;
    x[p] = i < args.count ? args.points[i] : 0.0f;
    value[p] = make_float4(0, 0, 0, 0);
  }

#pragma unroll 4
  for (int k = part - 1; k >= 0; --k) {
    const float4 c = quads[k];
#pragma unroll
    for (int p = 0; p < points_each; ++p) {
      value[p].x = fmaf(value[p].x, x[p], c.x);
      value[p].y = fmaf(value[p].y, x[p], c.y);
      value[p].z = fmaf(value[p].z, x[p], c.z);
      value[p].w = fmaf(value[p].w, x[p], c.w);
    }
  }

#pragma unroll
  for (int p = 0; p < points_each; ++p) {
    const std::int64_t i = first + p * block;
    if (i >= args.count) continue;
    const float s = power(x[p], part);
    args.values[i] = fmaf(fmaf(fmaf(value[p].w, s, value[p].z), s, value[p].y), s, value[p].x);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  constexpr std::int64_t tile = block * points_each;
  evaluate<<<static_cast<unsigned>((args.count + tile - 1) / tile), block, 0, stream>>>(args);
}
