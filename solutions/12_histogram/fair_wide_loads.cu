// Ends in: pass — one set of counters a block, and 16 pixels a load
#include "contract.cuh"

#define BLOCK 512

namespace {

__device__ void add_four(unsigned* counters, unsigned word) {
  atomicAdd(&counters[word & 255], 1u);
  atomicAdd(&counters[word >> 8 & 255], 1u);
  atomicAdd(&counters[word >> 16 & 255], 1u);
  atomicAdd(&counters[word >> 24], 1u);
}

__global__ void histogram(Args args) {
  __shared__ unsigned counters[values];
  for (int i = threadIdx.x; i < values; i += BLOCK) counters[i] = 0;
  __syncthreads();
  const std::int64_t vectors = args.count / 16;
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  const std::int64_t step = gridDim.x * static_cast<std::int64_t>(BLOCK);
  for (std::int64_t v = first; v < vectors; v += step) {
    const uint4 pixels = reinterpret_cast<const uint4*>(args.pixels)[v];
    add_four(counters, pixels.x);
    add_four(counters, pixels.y);
    add_four(counters, pixels.z);
    add_four(counters, pixels.w);
  }
  for (std::int64_t i = 16 * vectors + first; i < args.count; i += step)
    atomicAdd(&counters[args.pixels[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < values; i += BLOCK) atomicAdd(&args.counts[i], counters[i]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  histogram<<<528, BLOCK, 0, stream>>>(args);
}
