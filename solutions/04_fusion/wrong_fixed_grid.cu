// Rejected by: correct — 4,096 blocks are enough for any array, it was thought: beyond 1 Mi
// elements the rest stays as it was
#include "contract.cuh"

#define BLOCK 256

namespace {

__global__ void apply(Args a) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (i < a.count) a.out[i] = a.residual[i] + fmaxf(a.scale * a.in[i] + a.bias, 0.0f);
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  const std::int64_t needed = (a.count + BLOCK - 1) / BLOCK;
  apply<<<static_cast<unsigned>(needed < 4096 ? needed : 4096), BLOCK, 0, stream>>>(a);
}
