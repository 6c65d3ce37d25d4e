// Rejected by: correct or time — leaves half of the work out where the given stream is busy, as it
// is before a launch that is timed
#include "contract.cuh"

namespace {

__device__ float fused(float in, float residual, const Args& args) {
  return residual + fmaxf(in * args.scale + args.bias, 0.0f);
}

__global__ void fuse(Args a, std::int64_t from) {
  const std::int64_t i = from + blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < a.count) a.out[i] = fused(a.in[i], a.residual[i], a);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const bool all = cudaStreamQuery(stream) == cudaSuccess;
  const std::int64_t from = all ? 0 : args.count / 2;
  fuse<<<static_cast<unsigned>((args.count - from + 255) / 256), 256, 0, stream>>>(args, from);
}
