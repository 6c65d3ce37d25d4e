// Rejected by: correct — an index of 32 bits steps over the end of a picture of nearly 2^32 pixels
// and begins anew
#include <algorithm>

#include "contract.cuh"

namespace {

__global__ void histogram(Args args) {
  __shared__ unsigned counts[values];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * values + threadIdx.x; i < args.count; i += gridDim.x * values)
    atomicAdd(&counts[args.pixels[i]], 1u);
  __syncthreads();
  atomicAdd(&args.counts[threadIdx.x], counts[threadIdx.x]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  const std::int64_t needed = (args.count + values - 1) / values;
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(needed, 1056));
  histogram<<<blocks, values, 0, stream>>>(args);
}
