// Rejected by: correct — the counts of all blocks are added up atomically, but within each block
// alone
#include <algorithm>

#include "contract.cuh"

namespace {

__global__ void histogram(Args args) {
  __shared__ unsigned counts[values];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const std::int64_t stride = gridDim.x * static_cast<std::int64_t>(values);
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(values) + threadIdx.x;
       i < args.count; i += stride)
    atomicAdd(&counts[args.pixels[i]], 1u);
  __syncthreads();
  atomicAdd_block(&args.counts[threadIdx.x], counts[threadIdx.x]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  const std::int64_t needed = (args.count + values - 1) / values;
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(needed, 1056));
  histogram<<<blocks, values, 0, stream>>>(args);
}
