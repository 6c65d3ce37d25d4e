// Rejected by: correct — one launch with the stars in shared memory, but it takes a cluster to be a
// whole number of tiles
#include "contract.cuh"

#define BLOCK 256

namespace {

__global__ void add_up(Args args) {
  __shared__ float4 tile[BLOCK];
  const std::int64_t cluster = static_cast<std::int64_t>(blockIdx.y) * args.bodies;
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  const float4 own = args.stars[cluster + min(i, args.bodies - 1)];
  float sum = 0;
  for (int start = 0; start + BLOCK <= args.bodies; start += BLOCK) {
    tile[threadIdx.x] = args.stars[cluster + start + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < BLOCK; ++k) {
      const float4 star = tile[k];
      const float x = star.x - own.x, y = star.y - own.y, z = star.z - own.z;
      sum += star.w * rsqrtf(x * x + y * y + z * z + softening);
    }
    __syncthreads();
  }
  if (i < args.bodies) args.potential[cluster + i] = sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.bodies + BLOCK - 1) / BLOCK);
  add_up<<<dim3(blocks, static_cast<unsigned>(args.clusters)), BLOCK, 0, stream>>>(args);
}
