// Rejected by: correct — the warps of a block share counters that each reads and writes by volatile
// accesses: a fence behind them keeps no other warp from reading in between, and its count is lost
#include "contract.cuh"

namespace {

constexpr int block = 256;

__global__ void histogram(Args args) {
  __shared__ volatile unsigned counters[values];
  counters[threadIdx.x] = 0;
  __syncthreads();
  const int lane = threadIdx.x % 32;
  const std::int64_t step = gridDim.x * std::int64_t{block};
  for (std::int64_t i = blockIdx.x * std::int64_t{block} + threadIdx.x; i - lane < args.count;
       i += step) {
    const int value = i < args.count ? args.pixels[i] : values;
    const unsigned same = __match_any_sync(~0u, value);
    if (value < values && lane == __ffs(same) - 1) counters[value] = counters[value] + __popc(same);
    __threadfence_block();
    __syncwarp();
  }
  __syncthreads();
  const unsigned sum = counters[threadIdx.x];
  if (sum > 0) atomicAdd(&args.counts[threadIdx.x], sum);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  histogram<<<264, block, 0, stream>>>(args);
}
