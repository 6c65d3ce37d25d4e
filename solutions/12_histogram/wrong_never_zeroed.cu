// Rejected by: correct — adds to whatever the counters held before
#include "contract.cuh"

namespace {

__global__ void histogram(Args args) {
  __shared__ unsigned counters[values];
  for (int i = threadIdx.x; i < values; i += blockDim.x) counters[i] = 0;
  __syncthreads();
  const std::int64_t step = gridDim.x * static_cast<std::int64_t>(blockDim.x);
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
       i < args.count; i += step)
    atomicAdd(&counters[args.pixels[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < values; i += blockDim.x) atomicAdd(&args.counts[i], counters[i]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) { histogram<<<1024, 256, 0, stream>>>(args); }
