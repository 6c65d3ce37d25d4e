// Rejected by: correct — begins before the kernel in front of it has ended, loads its inputs at
// once, and waits for that kernel only before it writes: that one may be what makes the inputs
#include "contract.cuh"

namespace {

__global__ void fused(Args a) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  float x = 0, r = 0;
  if (i < a.count) {
    x = a.in[i];
    r = a.residual[i];
  }
  cudaGridDependencySynchronize();
  if (i < a.count) a.out[i] = r + fmaxf(x * a.scale + a.bias, 0.0f);
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  cudaLaunchAttribute begins_early{};
  begins_early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  begins_early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = static_cast<unsigned>((a.count + 255) / 256);
  config.blockDim = 256;
  config.stream = stream;
  config.attrs = &begins_early;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, fused, a);
}
