// Ends in: pass — a thread for each body of all clusters, numbered through, in blocks of 1,024
#include "contract.cuh"

#define BLOCK 1024

namespace {

__global__ void add_up(const float4* stars, float* potential, int bodies, std::int64_t all) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * BLOCK + threadIdx.x;
  if (i >= all) return;
  const std::int64_t first = i / bodies * bodies;
  const float4 own = stars[i];
  float sum = 0;
  for (int k = 0; k < bodies; ++k) {
    const float4 star = stars[first + k];
    const float x = star.x - own.x, y = star.y - own.y, z = star.z - own.z;
    sum += star.w * rsqrtf(x * x + y * y + z * z + softening);
  }
  potential[i] = sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t all = static_cast<std::int64_t>(args.clusters) * args.bodies;
  const auto blocks = static_cast<unsigned>((all + BLOCK - 1) / BLOCK);
  add_up<<<blocks, BLOCK, 0, stream>>>(args.stars, args.potential, args.bodies, all);
}
