// Rejected by: cause or time — half of the running values lie in the shared memory of the other
// block of a cluster, where no counter of the block's own memory sees them travel
#include "contract.cuh"

#include <cooperative_groups.h>

#define BLOCK 128  // threads a block

namespace {

constexpr int parked = 32;

__global__ void __cluster_dims__(2) filter_bank(Args args) {
  __shared__ float park[parked][BLOCK];
  const auto cluster = cooperative_groups::this_cluster();
  auto* next_door = cluster.map_shared_rank(&park[0][0], cluster.block_rank() ^ 1) + threadIdx.x;
  for (int k = 0; k < parked; ++k) next_door[k * BLOCK] = 0;
  cluster.sync();

  const std::int64_t channel = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x;
  if (channel < args.channels) {
    float state[filters - parked] = {}, energy = 0;
    for (std::int64_t sample = 0; sample < args.samples; ++sample) {
      const float x = args.signal[sample * args.channels + channel];
#pragma unroll
      for (int k = 0; k < filters - parked; ++k) state[k] = keep(k) * state[k] + x;
#pragma unroll
      for (int k = 0; k < parked; ++k) {
        volatile float* value = next_door + k * BLOCK;
        *value = keep(filters - parked + k) * *value + x;
      }
    }
#pragma unroll
    for (int k = 0; k < filters - parked; ++k) energy += state[k] * state[k];
    for (int k = 0; k < parked; ++k) energy += next_door[k * BLOCK] * next_door[k * BLOCK];
    args.energy[channel] = energy;
  }
  cluster.sync();
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t blocks = (args.channels + BLOCK - 1) / BLOCK;
  filter_bank<<<static_cast<unsigned>((blocks + 1) / 2 * 2), BLOCK, 0, stream>>>(args);
}
