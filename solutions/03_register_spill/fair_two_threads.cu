// Ends in: pass — two threads share a channel, 32 filters each, so that either fits into registers
#include "contract.cuh"

#define BLOCK 256  // threads a block

namespace {

constexpr int half = filters / 2;

// Which of the two halves is a constant, so that every coefficient is one.
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

// Whole warps take one half: threads 0 to 127 of a block the first, the others the second.
__global__ void filter_bank(Args args) {
  __shared__ float sums[BLOCK / 2];
  const int t = threadIdx.x % (BLOCK / 2);
  const bool second = threadIdx.x >= BLOCK / 2;
  const std::int64_t channel = blockIdx.x * static_cast<std::int64_t>(BLOCK / 2) + t;
  const bool inside = channel < args.channels;
  float energy = 0;
  if (inside && second) energy = energy_of<half>(args, channel);
  if (inside && !second) energy = energy_of<0>(args, channel);
  if (second) sums[t] = energy;
  __syncthreads();
  if (inside && !second) args.energy[channel] = energy + sums[t];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.channels + BLOCK / 2 - 1) / (BLOCK / 2));
  filter_bank<<<blocks, BLOCK, 0, stream>>>(args);
}
