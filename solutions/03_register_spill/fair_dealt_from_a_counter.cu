// Ends in: pass — channels are dealt to blocks from a counter, which the last draw sets back to
// zero
#include "contract.cuh"

#include <algorithm>

namespace {

constexpr int block = 128;
__device__ unsigned long long dealt;

/// The block's next channels; behind the last ones every block draws once more.
__device__ std::int64_t draw(std::int64_t stretches) {
  const unsigned long long drawn = atomicAdd(&dealt, 1ull);
  if (drawn + 1 == stretches + gridDim.x) atomicExch(&dealt, 0ull);
  return static_cast<std::int64_t>(drawn) * block;
}

__global__ void __launch_bounds__(block) filter_bank(Args args) {
  __shared__ std::int64_t first;
  for (;;) {
    if (threadIdx.x == 0) first = draw((args.channels + block - 1) / block);
    __syncthreads();
    const std::int64_t channel = first + threadIdx.x;
    const bool is_over = first >= args.channels;
    __syncthreads();
    if (is_over) return;
    if (channel >= args.channels) continue;
    float states[filters] = {};
    for (std::int64_t n = 0; n < args.samples; ++n) {
      const float x = args.signal[n * args.channels + channel];
#pragma unroll
      for (int k = 0; k < filters; ++k) states[k] = keep(k) * states[k] + x;
    }
    float energy = 0;
#pragma unroll
    for (int k = 0; k < filters; ++k) energy += states[k] * states[k];
    args.energy[channel] = energy;
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t wanted = (args.channels + block - 1) / block;
  filter_bank<<<static_cast<unsigned>(std::min<std::int64_t>(wanted, 792)), block, 0, stream>>>(
      args);
}
