// Right, but fails: time or cause — one running value fits anywhere, but the signal is read 64
// times
#include "contract.cuh"

namespace {

__global__ void filter_bank(Args args) {
  const std::int64_t channel = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (channel >= args.channels) return;

  float energy = 0;
#pragma unroll 1
  for (int k = 0; k < filters; ++k) {
    float state = 0;
    for (std::int64_t sample = 0; sample < args.samples; ++sample) {
      state = keep(k) * state + args.signal[sample * args.channels + channel];
    }
    energy += state * state;
  }
  args.energy[channel] = energy;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  filter_bank<<<static_cast<unsigned>((args.channels + 255) / 256), 256, 0, stream>>>(args);
}
