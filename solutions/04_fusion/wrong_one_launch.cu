// Rejected by: cause — a single kernel, in which every value still goes out to memory and comes
// back between two operations
#include "contract.cuh"

namespace {

__global__ void all_in_one(Args a) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= a.count) return;
  volatile float* scratch = a.scratch;
  volatile float* out = a.out;
  scratch[i] = a.in[i] * a.scale;
  out[i] = scratch[i] + a.bias;
  scratch[i] = fmaxf(out[i], 0.0f);
  out[i] = scratch[i] + a.residual[i];
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  all_in_one<<<static_cast<unsigned>((a.count + 255) / 256), 256, 0, stream>>>(a);
}
