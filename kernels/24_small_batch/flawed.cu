// Computes the potential of every body, cluster by cluster. One thread takes care of one body.
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif

namespace {

// TODO: this is correct, but slow. Make it faster and keep its results.
__global__ void add_up(const float4* stars, float* potential, int bodies) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= bodies) return;
  const float4 own = stars[i];
  float sum = 0;
  for (int k = 0; k < bodies; ++k) {
    const float4 star = stars[k];
    const float x = star.x - own.x, y = star.y - own.y, z = star.z - own.z;
    sum += star.w * rsqrtf(x * x + y * y + z * z + softening);
  }
  potential[i] = sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.bodies + BLOCK - 1) / BLOCK);
  for (int cluster = 0; cluster < args.clusters; ++cluster) {
    const std::int64_t first = static_cast<std::int64_t>(cluster) * args.bodies;
    add_up<<<blocks, BLOCK, 0, stream>>>(args.stars + first, args.potential + first, args.bodies);
  }
}
