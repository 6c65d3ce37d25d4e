// Rejected by: correct — the totals are floats, which end at 2^24
#include <algorithm>

#include "contract.cuh"

namespace {

__global__ void count(Args args, float* totals) {
  __shared__ unsigned counts[values];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const std::int64_t stride = gridDim.x * static_cast<std::int64_t>(values);
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(values) + threadIdx.x;
       i < args.count; i += stride)
    atomicAdd(&counts[args.pixels[i]], 1u);
  __syncthreads();
  atomicAdd(&totals[threadIdx.x], static_cast<float>(counts[threadIdx.x]));
}

__global__ void round_off(Args args, const float* totals) {
  args.counts[threadIdx.x] = static_cast<unsigned>(totals[threadIdx.x]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static float* totals = nullptr;
  if (!totals) cudaMalloc(&totals, values * sizeof(float));
  cudaMemsetAsync(totals, 0, values * sizeof(float), stream);
  const std::int64_t needed = (args.count + values - 1) / values;
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(needed, 1056));
  count<<<blocks, values, 0, stream>>>(args, totals);
  round_off<<<1, values, 0, stream>>>(args, totals);
}
