// Rejected by: correct — sums over the lanes that are active behind a loop as if that were the
// whole warp: nothing has brought back those that left it sooner
#include "contract.cuh"

namespace {

constexpr int block = 256;

__global__ void histogram(Args args) {
  __shared__ unsigned counters[values];
  counters[threadIdx.x] = 0;
  __syncthreads();
  unsigned black = 0;
  const std::int64_t step = gridDim.x * std::int64_t{block};
  for (std::int64_t i = blockIdx.x * std::int64_t{block} + threadIdx.x; i < args.count; i += step) {
    const int value = args.pixels[i];
    if (value == 0)
      ++black;
    else
      atomicAdd(&counters[value], 1u);
  }
  const unsigned active = __activemask();
  for (int by = 16; by > 0; by /= 2) black += __shfl_down_sync(active, black, by);
  if (threadIdx.x % 32 == 0) atomicAdd(&counters[0], black);
  __syncthreads();
  if (counters[threadIdx.x] > 0) atomicAdd(&args.counts[threadIdx.x], counters[threadIdx.x]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  histogram<<<264, block, 0, stream>>>(args);
}
