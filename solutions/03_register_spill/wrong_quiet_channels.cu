// Rejected by: correct — two threads share a channel and add to its energy atomically, which takes
// numbers next to zero for zero: a channel that is quiet enough has no energy at all
#include "contract.cuh"

namespace {

constexpr int block = 128, half = filters / 2;

template <int first>
__device__ float energy_of(const Args& args, std::int64_t channel) {
  float state[half] = {};
#pragma unroll 8
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

__global__ void __launch_bounds__(2 * block) filter_bank(Args args) {
  const std::int64_t channel = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x % block;
  if (channel >= args.channels) return;
  const float energy =
      threadIdx.x < block ? energy_of<0>(args, channel) : energy_of<half>(args, channel);
  atomicAdd(&args.energy[channel], energy);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaMemsetAsync(args.energy, 0, args.channels * sizeof(float), stream);
  const auto blocks = static_cast<unsigned>((args.channels + block - 1) / block);
  filter_bank<<<blocks, 2 * block, 0, stream>>>(args);
}
