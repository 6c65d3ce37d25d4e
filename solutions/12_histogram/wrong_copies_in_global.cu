// Rejected by: cause — 64 sets of counters instead of one, but all of them in global memory: less
// waiting, as many trips
#include "contract.cuh"

namespace {

constexpr int copies = 64;
__device__ unsigned spread[copies][values];

__global__ void histogram(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < args.count) atomicAdd(&spread[blockIdx.x % copies][args.pixels[i]], 1u);
}

__global__ void add_up(Args args) {
  unsigned sum = 0;
  for (int copy = 0; copy < copies; ++copy) sum += spread[copy][threadIdx.x];
  args.counts[threadIdx.x] = sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  void* all = nullptr;
  cudaGetSymbolAddress(&all, spread);
  cudaMemsetAsync(all, 0, sizeof(unsigned) * copies * values, stream);
  histogram<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, stream>>>(args);
  add_up<<<1, values, 0, stream>>>(args);
}
