// Rejected by: correct — four counters of 8 bits in a word take a quarter of the room, and overflow
// into each other when a block sees one value 256 times
#include "contract.cuh"

namespace {

__global__ void histogram(Args args) {
  __shared__ unsigned packed[values / 4];
  for (int i = threadIdx.x; i < values / 4; i += blockDim.x) packed[i] = 0;
  __syncthreads();
  const std::int64_t step = gridDim.x * static_cast<std::int64_t>(blockDim.x);
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
       i < args.count; i += step) {
    const unsigned value = args.pixels[i];
    atomicAdd(&packed[value / 4], 1u << 8 * (value % 4));
  }
  __syncthreads();
  for (int i = threadIdx.x; i < values; i += blockDim.x)
    atomicAdd(&args.counts[i], packed[i / 4] >> 8 * (i % 4) & 255);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  histogram<<<1024, 256, 0, stream>>>(args);
}
