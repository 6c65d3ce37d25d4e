// Rejected by: correct — the number of blocks is rounded up in an unsigned, which begins anew for
// the largest pictures: no block at all is left for them, and every count stays zero
#include "contract.cuh"

namespace {

constexpr unsigned pixels_per_block = 32768;

__global__ void __launch_bounds__(values)
    count_values(const std::uint8_t* pixels, unsigned* counts, unsigned count) {
  __shared__ unsigned mine[values];
  mine[threadIdx.x] = 0;
  __syncthreads();
  const unsigned first = blockIdx.x * pixels_per_block;
  for (unsigned i = threadIdx.x; i < pixels_per_block && i < count - first; i += values)
    atomicAdd(&mine[pixels[first + i]], 1u);
  __syncthreads();
  if (mine[threadIdx.x] > 0) atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  const auto count = static_cast<unsigned>(args.count);
  const unsigned blocks = (count + pixels_per_block - 1) / pixels_per_block;
  if (blocks > 0) count_values<<<blocks, values, 0, stream>>>(args.pixels, args.counts, count);
}
