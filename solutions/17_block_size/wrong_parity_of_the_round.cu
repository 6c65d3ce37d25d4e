// Rejected by: correct or hang — a warp brings tiles to the others through two rooms, and waits for
// an empty one with the parity of its own round in place of the round before: it fills rooms that
// are not read yet, or waits for ever. Small signals give a block no third tile.
#include "contract.cuh"

#include <cuda/ptx>

namespace {

namespace ptx = cuda::ptx;

constexpr int rooms = 2, tile = 1024, readers = 256;

__device__ void wait_for(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

__global__ void __launch_bounds__(readers + 32)
    limit(const float* in, float* out, std::int64_t count, float low, float high) {
  __shared__ float room[rooms][tile];
  __shared__ std::uint64_t full[rooms], empty[rooms];
  if (threadIdx.x == 0)
    for (int i = 0; i < rooms; ++i) {
      ptx::mbarrier_init(&full[i], 32);
      ptx::mbarrier_init(&empty[i], readers);
    }
  __syncthreads();
  const bool brings = threadIdx.x >= readers;
  const int first = brings ? threadIdx.x - readers : threadIdx.x;
  unsigned turn = 0;
  for (std::int64_t begin = blockIdx.x * std::int64_t{tile}; begin < count;
       begin += gridDim.x * std::int64_t{tile}, ++turn) {
    const unsigned at = turn % rooms, round = turn / rooms;
    const auto here = static_cast<int>(min(std::int64_t{tile}, count - begin));
    if (brings) {
      if (round > 0) wait_for(&empty[at], round % 2);
      for (int i = first; i < here; i += 32) room[at][i] = in[begin + i];
      ptx::mbarrier_arrive(&full[at]);
    } else {
      wait_for(&full[at], round % 2);
      for (int i = first; i < here; i += readers)
        out[begin + i] = fminf(fmaxf(room[at][i], low), high);
      ptx::mbarrier_arrive(&empty[at]);
    }
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t tiles = (args.count + tile - 1) / tile;
  const auto blocks = static_cast<unsigned>(tiles < 396 ? tiles : 396);
  limit<<<blocks, readers + 32, 0, stream>>>(args.in, args.out, args.count, args.low, args.high);
}
