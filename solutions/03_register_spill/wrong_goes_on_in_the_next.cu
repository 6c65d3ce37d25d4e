// Rejected by: correct — the filters of a thread's first channel go on in its next one: a loop over
// the grid begins behind them
#include "contract.cuh"

#include <algorithm>

namespace {

__global__ void __launch_bounds__(256) filter_bank(Args args) {
  float states[filters] = {};
  const std::int64_t stride = std::int64_t{gridDim.x} * 256;
  for (std::int64_t channel = std::int64_t{blockIdx.x} * 256 + threadIdx.x; channel < args.channels;
       channel += stride) {
    for (std::int64_t n = 0; n < args.samples; ++n) {
      const float x = args.signal[n * args.channels + channel];
#pragma unroll
      for (int k = 0; k < filters; ++k) states[k] = keep(k) * states[k] + x;
    }
    float energy = 0;
#pragma unroll
    for (int k = 0; k < filters; ++k) energy += states[k] * states[k];
    args.energy[channel] = energy;
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t wanted = (args.channels + 255) / 256;
  filter_bank<<<static_cast<unsigned>(std::min<std::int64_t>(wanted, 1200)), 256, 0, stream>>>(
      args);
}
