// Rejected by: correct — takes the scale out of relu, which is right for a positive scale only
#include "contract.cuh"

#define BLOCK 256

namespace {

__global__ void apply(Args a, float shift) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (i < a.count) a.out[i] = a.residual[i] + a.scale * fmaxf(a.in[i] + shift, 0.0f);
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((a.count + BLOCK - 1) / BLOCK);
  apply<<<blocks, BLOCK, 0, stream>>>(a, a.bias / a.scale);
}
