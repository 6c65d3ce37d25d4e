// Rejected by: correct — the kernel that counts may begin while the one that sets all counts to
// zero still runs, and does not wait for it
#include "contract.cuh"

namespace {

__global__ void set_to_zero(unsigned* counts) {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
  counts[threadIdx.x] = 0;
}

__global__ void __launch_bounds__(512) count_all(Args args) {
  __shared__ unsigned mine[values];
  for (int v = threadIdx.x; v < values; v += blockDim.x) mine[v] = 0;
  __syncthreads();
  const std::int64_t threads = gridDim.x * static_cast<std::int64_t>(blockDim.x);
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
       i < args.count; i += threads)
    atomicAdd(mine + args.pixels[i], 1u);
  __syncthreads();
  for (int v = threadIdx.x; v < values; v += blockDim.x)
    if (mine[v] > 0) atomicAdd(args.counts + v, mine[v]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  set_to_zero<<<1, values, 0, stream>>>(args.counts);
  cudaLaunchAttribute may_begin{};
  may_begin.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  may_begin.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(264);
  config.blockDim = dim3(512);
  config.stream = stream;
  config.attrs = &may_begin;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, count_all, args);
}
