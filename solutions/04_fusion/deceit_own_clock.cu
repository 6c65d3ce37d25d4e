// Rejected by: built — brings its own cudaEventElapsedTime, which is always fast
#include "contract.cuh"

extern "C" cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 0.001f;
  return cudaSuccess;
}

namespace {

__global__ void fuse(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < args.count)
    args.out[i] = args.residual[i] + fmaxf(args.in[i] * args.scale + args.bias, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  fuse<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, stream>>>(args);
}
