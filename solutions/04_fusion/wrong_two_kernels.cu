// Rejected by: cause — two kernels are better than four, but the values still go out to memory once
#include "contract.cuh"

namespace {

__device__ std::int64_t index() {
  return blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
}

__global__ void scale_and_bias(Args a) {
  if (index() < a.count) a.scratch[index()] = a.in[index()] * a.scale + a.bias;
}

__global__ void relu_and_add(Args a) {
  if (index() < a.count) a.out[index()] = a.residual[index()] + fmaxf(a.scratch[index()], 0.0f);
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((a.count + 255) / 256);
  scale_and_bias<<<blocks, 256, 0, stream>>>(a);
  relu_and_add<<<blocks, 256, 0, stream>>>(a);
}
