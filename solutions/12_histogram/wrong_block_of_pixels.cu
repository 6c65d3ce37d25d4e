// Rejected by: cause — counters in shared memory, but a block that looks at 256 pixels adds as many
// counters to the global ones as it saw pixels
#include "contract.cuh"

namespace {

__global__ void histogram(Args args) {
  __shared__ unsigned counters[values];
  counters[threadIdx.x] = 0;
  __syncthreads();
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(values) + threadIdx.x;
  if (i < args.count) atomicAdd(&counters[args.pixels[i]], 1u);
  __syncthreads();
  if (counters[threadIdx.x] > 0) atomicAdd(&args.counts[threadIdx.x], counters[threadIdx.x]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  histogram<<<static_cast<unsigned>((args.count + values - 1) / values), values, 0, stream>>>(args);
}
