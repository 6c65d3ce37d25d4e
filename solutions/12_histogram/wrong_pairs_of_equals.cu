// Rejected by: correct — a lane counts for its neighbour where both have the same value; behind the
// last pixel that neighbour left the loop, and what is read from it may be anything
#include "contract.cuh"

constexpr int block_threads = 256;

namespace {

__global__ void __launch_bounds__(block_threads) histogram(Args args) {
  __shared__ unsigned counters[values];
  for (int i = threadIdx.x; i < values; i += block_threads) counters[i] = 0;
  __syncthreads();
  const std::int64_t step = gridDim.x * static_cast<std::int64_t>(block_threads);
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block_threads) + threadIdx.x;
       i < args.count; i += step) {
    const unsigned mine = args.pixels[i];
    const unsigned next = __shfl_xor_sync(__activemask(), mine, 1);
    if (mine != next)
      atomicAdd(&counters[mine], 1u);
    else if (threadIdx.x % 2 == 0)
      atomicAdd(&counters[mine], 2u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < values; i += block_threads)
    if (counters[i] > 0) atomicAdd(&args.counts[i], counters[i]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  constexpr std::int64_t most = 1056;
  const std::int64_t needed = args.count / (8 * block_threads) + 1;
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  histogram<<<static_cast<unsigned>(needed < most ? needed : most), block_threads, 0, stream>>>(
      args);
}
