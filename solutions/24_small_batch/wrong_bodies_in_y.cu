// Rejected by: correct — eight bodies for a block, and the blocks of a cluster along the grid's
// second side, which has 65,535 at most: a cluster may have 1,000,000 bodies
#include "contract.cuh"

namespace {

constexpr int warps = 8;

__global__ void add_up(const float4* all, float* potential, int bodies) {
  const int i = static_cast<int>(blockIdx.y) * warps + static_cast<int>(threadIdx.y);
  if (i >= bodies) return;
  const float4* stars = all + static_cast<std::int64_t>(blockIdx.x) * bodies;
  const float4 own = stars[i];
  float sum = 0;
  for (int k = static_cast<int>(threadIdx.x); k < bodies; k += 32) {
    const float4 star = stars[k];
    const float x = star.x - own.x, y = star.y - own.y, z = star.z - own.z;
    sum += star.w * rsqrtf(x * x + y * y + z * z + softening);
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x == 0) potential[static_cast<std::int64_t>(blockIdx.x) * bodies + i] = sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(args.clusters),
                  static_cast<unsigned>((args.bodies + warps - 1) / warps));
  add_up<<<grid, dim3(32, warps), 0, stream>>>(args.stars, args.potential, args.bodies);
}
