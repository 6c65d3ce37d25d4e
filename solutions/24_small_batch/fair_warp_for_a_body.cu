// Ends in: pass — a warp for each body; the blocks of a cluster stride over its bodies
#include "contract.cuh"

#include <algorithm>

namespace {

constexpr int warps = 8;

__global__ void __launch_bounds__(32 * warps) potentials(Args args) {
  const std::int64_t first = std::int64_t{blockIdx.y} * args.bodies;
  const float4* stars = args.stars + first;
  for (int i = blockIdx.x * warps + threadIdx.y; i < args.bodies; i += gridDim.x * warps) {
    const float4 own = stars[i];
    float sum = 0;
    for (int k = threadIdx.x; k < args.bodies; k += 32) {
      const float4 star = stars[k];
      const float x = star.x - own.x, y = star.y - own.y, z = star.z - own.z;
      sum += star.w * rsqrtf(softening + x * x + y * y + z * z);
    }
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0u, sum, lanes);
    if (threadIdx.x == 0) args.potential[first + i] = sum;
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const int blocks = std::min((args.bodies + warps - 1) / warps, 512);
  potentials<<<dim3(blocks, args.clusters), dim3(32, warps), 0, stream>>>(args);
}
