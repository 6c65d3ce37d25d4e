// Rejected by: correct — counters in shared memory without atomics: two threads read the same
// count, add one each, and one of the two is lost
#include "contract.cuh"

namespace {

__global__ void histogram(Args args) {
  __shared__ unsigned counters[values];
  for (int i = threadIdx.x; i < values; i += blockDim.x) counters[i] = 0;
  __syncthreads();
  const std::int64_t step = gridDim.x * static_cast<std::int64_t>(blockDim.x);
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
       i < args.count; i += step)
    counters[args.pixels[i]]++;
  __syncthreads();
  for (int i = threadIdx.x; i < values; i += blockDim.x) atomicAdd(&args.counts[i], counters[i]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  histogram<<<1024, 256, 0, stream>>>(args);
}
