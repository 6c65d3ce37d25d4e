// Rejected by: correct — two counters of 16 bits share a word: of 65,536 equal pixels in a block
// one carries into its neighbour
#include "contract.cuh"

namespace {

constexpr int block = 256;
constexpr unsigned blocks = 64;

__global__ void count(Args args) {
  __shared__ unsigned pairs[values / 2];
  if (threadIdx.x < values / 2) pairs[threadIdx.x] = 0;
  __syncthreads();
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x; i < args.count;
       i += gridDim.x * static_cast<std::int64_t>(block)) {
    const unsigned value = args.pixels[i];
    atomicAdd(&pairs[value / 2], value % 2 ? 65536u : 1u);
  }
  __syncthreads();
  const unsigned mine = pairs[threadIdx.x / 2] >> threadIdx.x % 2 * 16 & 65535;
  if (mine > 0) atomicAdd(&args.counts[threadIdx.x], mine);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  count<<<blocks, block, 0, stream>>>(args);
}
