// Rejected by: correct — sample * channels + channel as an int turns negative in a signal of more
// than 2,147,483,647 words
#include "contract.cuh"

#define BLOCK 256  // threads a block

namespace {

__global__ void filter_bank(Args args) {
  const int channel = blockIdx.x * BLOCK + threadIdx.x;
  const int channels = static_cast<int>(args.channels);
  if (channel >= channels) return;

  float state[filters] = {};
  for (int sample = 0; sample < args.samples; ++sample) {
    const float x = args.signal[sample * channels + channel];
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
