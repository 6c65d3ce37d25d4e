// Rejected by: correct — a sample of zero is taken for silence and skipped, but it lets all filters
// fade
#include "contract.cuh"

#define BLOCK 256  // threads a block

namespace {

__global__ void filter_bank(Args args) {
  const std::int64_t channel = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (channel >= args.channels) return;

  float state[filters] = {};
  for (std::int64_t sample = 0; sample < args.samples; ++sample) {
    const float x = args.signal[sample * args.channels + channel];
    if (x == 0) continue;
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
