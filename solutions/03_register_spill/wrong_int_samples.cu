// Rejected by: correct — the number of a sample is an int: a signal of few channels may be longer
#include "contract.cuh"

namespace {

__global__ void __launch_bounds__(128) filter_bank(Args args, int samples) {
  const std::int64_t channel = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (channel >= args.channels) return;
  const float* next = args.signal + channel;
  float state[filters] = {};
  for (int sample = 0; sample < samples; ++sample, next += args.channels) {
    const float x = *next;
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
  const auto blocks = static_cast<unsigned>((args.channels + 127) / 128);
  filter_bank<<<blocks, 128, 0, stream>>>(args, static_cast<int>(args.samples));
}
