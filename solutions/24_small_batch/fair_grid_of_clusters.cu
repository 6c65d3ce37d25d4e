// Ends in: pass — the number of the cluster is the block's second index, and nothing else changes
#include "contract.cuh"

#define BLOCK 256

namespace {

__global__ void add_up(const float4* all, float* potential, int bodies) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= bodies) return;
  const float4* stars = all + static_cast<std::int64_t>(blockIdx.y) * bodies;
  const float4 own = stars[i];
  float sum = 0;
  for (int k = 0; k < bodies; ++k) {
    const float4 star = stars[k];
    const float x = star.x - own.x, y = star.y - own.y, z = star.z - own.z;
    sum += star.w * rsqrtf(x * x + y * y + z * z + softening);
  }
  potential[static_cast<std::int64_t>(blockIdx.y) * bodies + i] = sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.bodies + BLOCK - 1) / BLOCK);
  const dim3 grid(blocks, static_cast<unsigned>(args.clusters));
  add_up<<<grid, BLOCK, 0, stream>>>(args.stars, args.potential, args.bodies);
}
