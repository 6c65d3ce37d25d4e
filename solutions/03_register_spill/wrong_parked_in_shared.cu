// Rejected by: cause — half of the running values lie in shared memory, where no compiler calls
// them spilled: they still travel at every sample
#include "contract.cuh"

#define BLOCK 128  // threads a block

namespace {

constexpr int parked = 32;

__global__ void filter_bank(Args args) {
  __shared__ float park[parked][BLOCK];
  const std::int64_t channel = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (channel >= args.channels) return;

  float state[filters - parked] = {};
  for (int k = 0; k < parked; ++k) park[k][threadIdx.x] = 0;
  for (std::int64_t sample = 0; sample < args.samples; ++sample) {
    const float x = args.signal[sample * args.channels + channel];
#pragma unroll
    for (int k = 0; k < filters - parked; ++k) state[k] = keep(k) * state[k] + x;
#pragma unroll
    for (int k = 0; k < parked; ++k) {
      volatile float* value = &park[k][threadIdx.x];
      *value = keep(filters - parked + k) * *value + x;
    }
  }

  float energy = 0;
#pragma unroll
  for (int k = 0; k < filters - parked; ++k) energy += state[k] * state[k];
  for (int k = 0; k < parked; ++k) energy += park[k][threadIdx.x] * park[k][threadIdx.x];
  args.energy[channel] = energy;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.channels + BLOCK - 1) / BLOCK);
  filter_bank<<<blocks, BLOCK, 0, stream>>>(args);
}
