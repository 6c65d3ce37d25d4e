// Rejected by: correct — the counts are set to zero on the default stream, and the given one does
// not wait for it
#include "contract.cuh"

namespace {

constexpr int block = 256;
constexpr std::int64_t per_block = 65536;

__global__ void count(Args args) {
  __shared__ unsigned counters[values];
  counters[threadIdx.x] = 0;
  __syncthreads();
  const std::int64_t begin = blockIdx.x * per_block, end = min(begin + per_block, args.count);
  for (std::int64_t i = begin + threadIdx.x; i < end; i += block)
    atomicAdd(&counters[args.pixels[i]], 1u);
  __syncthreads();
  if (counters[threadIdx.x] > 0) atomicAdd(&args.counts[threadIdx.x], counters[threadIdx.x]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned));
  count<<<static_cast<unsigned>((args.count + per_block - 1) / per_block), block, 0, stream>>>(
      args);
}
