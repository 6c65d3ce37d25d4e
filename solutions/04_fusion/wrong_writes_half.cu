// Rejected by: correct — writes only half of the output
#include "contract.cuh"

namespace {

__device__ float fused(float in, float residual, const Args& args) {
  return residual + fmaxf(in * args.scale + args.bias, 0.0f);
}

__global__ void fuse(Args a) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < a.count) a.out[i] = fused(a.in[i], a.residual[i], a);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  Args half = args;
  half.count = (args.count + 1) / 2;
  fuse<<<static_cast<unsigned>((half.count + 255) / 256), 256, 0, stream>>>(half);
}
