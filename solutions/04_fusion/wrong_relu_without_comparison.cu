// Rejected by: correct — relu without a comparison, as half of x + |x|: NaN where x is minus
// infinity, and infinite where only the sum is too large
#include "contract.cuh"

#define BLOCK 256

namespace {

__device__ float relu(float x) { return 0.5f * (x + fabsf(x)); }

__global__ void apply(Args a) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (i < a.count) a.out[i] = a.residual[i] + relu(a.scale * a.in[i] + a.bias);
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  apply<<<static_cast<unsigned>((a.count + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(a);
}
