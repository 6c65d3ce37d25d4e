// Rejected by: cause — two kernels are better than four, but the values still go out to memory once
#include "contract.cuh"

namespace {

__global__ void scale_and_bias(Args a) {
  const std::int64_t i = 4 * (blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x);
  if (i + 4 <= a.count) {
    const float4 x = *reinterpret_cast<const float4*>(a.in + i);
    *reinterpret_cast<float4*>(a.scratch + i) =
        make_float4(x.x * a.scale + a.bias, x.y * a.scale + a.bias, x.z * a.scale + a.bias,
                    x.w * a.scale + a.bias);
  } else {
    for (std::int64_t k = i; k < a.count; ++k) a.scratch[k] = a.in[k] * a.scale + a.bias;
  }
}

__device__ float relu_and_add(float value, float residual) { return residual + fmaxf(value, 0.0f); }

__global__ void finish(Args a) {
  const std::int64_t i = 4 * (blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x);
  if (i + 4 <= a.count) {
    const float4 x = *reinterpret_cast<const float4*>(a.scratch + i);
    const float4 r = *reinterpret_cast<const float4*>(a.residual + i);
    *reinterpret_cast<float4*>(a.out + i) =
        make_float4(relu_and_add(x.x, r.x), relu_and_add(x.y, r.y), relu_and_add(x.z, r.z),
                    relu_and_add(x.w, r.w));
  } else {
    for (std::int64_t k = i; k < a.count; ++k) a.out[k] = relu_and_add(a.scratch[k], a.residual[k]);
  }
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((a.count / 4 + 256) / 256);
  scale_and_bias<<<blocks, 256, 0, stream>>>(a);
  finish<<<blocks, 256, 0, stream>>>(a);
}
