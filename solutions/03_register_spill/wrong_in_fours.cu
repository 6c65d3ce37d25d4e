// Rejected by: correct — takes four samples at a time, and leaves out the last ones where the
// samples are no multiple of four
#include "contract.cuh"

#define BLOCK 256  // threads a block

namespace {

__global__ void filter_bank(Args args) {
  const std::int64_t channel = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (channel >= args.channels) return;

  float state[filters] = {};
  const float* at = args.signal + channel;
  const std::int64_t step = args.channels;
  for (std::int64_t sample = 0; sample + 4 <= args.samples; sample += 4, at += 4 * step) {
    const float x[4] = {at[0], at[step], at[2 * step], at[3 * step]};
#pragma unroll
    for (int k = 0; k < filters; ++k)
#pragma unroll
      for (int s = 0; s < 4; ++s) state[k] = keep(k) * state[k] + x[s];
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
