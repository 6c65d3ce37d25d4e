// Ends in: pass — the block stages eight samples of its channels in shared memory, through a
// cooperative group, before every thread runs its filters over them
#include "contract.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

constexpr int block_threads = 128, staged = 8;

__global__ void __launch_bounds__(block_threads) filter_bank(Args args) {
  __shared__ float tile[staged][block_threads];
  const cg::thread_block block = cg::this_thread_block();
  const std::int64_t channel =
      block.group_index().x * static_cast<std::int64_t>(block_threads) + block.thread_rank();
  const bool mine = channel < args.channels;

  float state[filters] = {};
  for (std::int64_t first = 0; first < args.samples; first += staged) {
    const int count =
        static_cast<int>(min(args.samples - first, static_cast<std::int64_t>(staged)));
    for (int s = 0; s < count && mine; ++s)
      tile[s][block.thread_rank()] = args.signal[(first + s) * args.channels + channel];
    block.sync();
    for (int s = 0; s < count && mine; ++s) {
      const float x = tile[s][block.thread_rank()];
#pragma unroll
      for (int k = 0; k < filters; ++k) state[k] = keep(k) * state[k] + x;
    }
    block.sync();
  }
  if (!mine) return;

  float energy = 0;
#pragma unroll
  for (int k = 0; k < filters; ++k) energy += state[k] * state[k];
  args.energy[channel] = energy;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.channels + block_threads - 1) / block_threads);
  filter_bank<<<blocks, block_threads, 0, stream>>>(args);
}
