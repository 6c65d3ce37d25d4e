// Rejected by: correct — a match is taken for a barrier of the warp: the next leader of a value
// reads its counter with nothing that orders it behind the last leader's store
#include "contract.cuh"

namespace {

constexpr int block = 256, warps = block / 32;

__global__ void histogram(Args args) {
  __shared__ unsigned counters[warps][values];
  for (int i = threadIdx.x; i < warps * values; i += block) (&counters[0][0])[i] = 0;
  __syncthreads();
  unsigned* own = counters[threadIdx.x / 32];
  const int lane = threadIdx.x % 32;
  const std::int64_t step = gridDim.x * std::int64_t{block};
  for (std::int64_t i = blockIdx.x * std::int64_t{block} + threadIdx.x; i - lane < args.count;
       i += step) {
    const int value = i < args.count ? args.pixels[i] : values;
    const unsigned same = __match_any_sync(~0u, value);
    if (value < values && lane == __ffs(same) - 1) own[value] += __popc(same);
  }
  __syncthreads();
  unsigned sum = 0;
  for (int warp = 0; warp < warps; ++warp) sum += counters[warp][threadIdx.x];
  if (sum > 0) atomicAdd(&args.counts[threadIdx.x], sum);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  histogram<<<264, block, 0, stream>>>(args);
}
