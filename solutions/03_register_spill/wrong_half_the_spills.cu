// Rejected by: cause — 56 registers are more than 32, but 64 running values still do not fit
#include "contract.cuh"

namespace {

constexpr int block = 256;

__global__ void __maxnreg__(56) filter_bank(Args args) {
  const std::int64_t channel = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (channel >= args.channels) return;

  float state[filters] = {};
  for (std::int64_t sample = 0; sample < args.samples; ++sample) {
    const float x = args.signal[sample * args.channels + channel];
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
  const auto blocks = static_cast<unsigned>((args.channels + block - 1) / block);
  filter_bank<<<blocks, block, 0, stream>>>(args);
}
