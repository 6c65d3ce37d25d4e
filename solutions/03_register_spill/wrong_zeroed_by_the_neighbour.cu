// Rejected by: correct — two threads share a channel and add to its result, which the first of them
// sets to zero: nothing keeps the second from adding before that
#include "contract.cuh"

namespace {

constexpr int block = 128, half = filters / 2;

template <int first>
__device__ float energy_of(const Args& args, std::int64_t channel) {
  float state[half] = {};
  for (std::int64_t sample = 0; sample < args.samples; ++sample) {
    const float x = args.signal[sample * args.channels + channel];
#pragma unroll
    for (int k = 0; k < half; ++k) state[k] = keep(first + k) * state[k] + x;
  }
  float energy = 0;
#pragma unroll
  for (int k = 0; k < half; ++k) energy += state[k] * state[k];
  return energy;
}

/// One warp of a block in two takes the first 32 filters, its neighbour the others.
__global__ void __launch_bounds__(block) filter_bank(Args args) {
  const int pair = threadIdx.x / 64, lane = threadIdx.x % 32;
  const bool second = threadIdx.x / 32 % 2 == 1;
  const std::int64_t channel = blockIdx.x * static_cast<std::int64_t>(block / 2) + 32 * pair + lane;
  if (channel >= args.channels) return;
  if (!second) args.energy[channel] = 0;
  const float energy = second ? energy_of<half>(args, channel) : energy_of<0>(args, channel);
  atomicAdd(&args.energy[channel], energy);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((2 * args.channels + block - 1) / block);
  filter_bank<<<blocks, block, 0, stream>>>(args);
}
