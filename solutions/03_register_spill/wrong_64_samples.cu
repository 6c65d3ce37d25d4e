// Rejected by: correct — a block has room for the 64 samples that are timed, and forgets the others
#include "contract.cuh"

#define BLOCK 128
#define SAMPLES 64  // loaded at once

namespace {

__global__ void filter_bank(Args args) {
  const std::int64_t channel = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (channel >= args.channels) return;

  __shared__ float signal[SAMPLES][BLOCK];
  const int samples = static_cast<int>(args.samples < SAMPLES ? args.samples : SAMPLES);
  for (int sample = 0; sample < samples; ++sample)
    signal[sample][threadIdx.x] = args.signal[sample * args.channels + channel];

  float state[filters] = {};
  for (int sample = 0; sample < samples; ++sample) {
    const float x = signal[sample][threadIdx.x];
#pragma unroll
    for (int k = 0; k < filters; ++k) state[k] = keep(k) * state[k] + x;
  }

  float energy = 0;
#pragma unroll
  for (int k = 0; k < filters; ++k) energy += state[k] * state[k];
  args.energy[channel] = energy;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.channels + BLOCK - 1) / BLOCK);
  filter_bank<<<blocks, BLOCK, 0, stream>>>(args);
}
