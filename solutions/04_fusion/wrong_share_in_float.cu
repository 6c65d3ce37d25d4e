// Rejected by: correct — a block's share is worked out in float, which no longer sees one element
// beyond 2^24, and the last share ends too early
#include "contract.cuh"

#include <cmath>

namespace {

constexpr int block = 256;

__device__ float tail(float in, float residual, float scale, float bias) {
  return __fadd_rn(residual, fmaxf(__fadd_rn(__fmul_rn(scale, in), bias), 0.0f));
}

// Each block has a stretch of `share` elements, a multiple of 4.
__global__ void __launch_bounds__(block) fused(Args a, std::int64_t share) {
  const std::int64_t begin = blockIdx.x * share;
  const std::int64_t end = begin + share < a.count ? begin + share : a.count;
  for (std::int64_t i = begin + 4 * threadIdx.x; i < end; i += 4 * block) {
    if (i + 4 <= end) {
      const float4 x = __ldcs(reinterpret_cast<const float4*>(a.in + i));
      const float4 r = __ldcs(reinterpret_cast<const float4*>(a.residual + i));
      __stcs(reinterpret_cast<float4*>(a.out + i),
             make_float4(tail(x.x, r.x, a.scale, a.bias), tail(x.y, r.y, a.scale, a.bias),
                         tail(x.z, r.z, a.scale, a.bias), tail(x.w, r.w, a.scale, a.bias)));
    } else {
      for (std::int64_t k = i; k < end; ++k)
        a.out[k] = tail(a.in[k], a.residual[k], a.scale, a.bias);
    }
  }
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  int device = 0;
  int processors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  const int blocks = 8 * processors;  // all resident at once
  const float vectors = std::ceil(static_cast<float>(a.count) / (4.0f * blocks));
  fused<<<blocks, block, 0, stream>>>(a, 4 * static_cast<std::int64_t>(vectors));
}
