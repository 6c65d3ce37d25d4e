// Rejected by: cause — two bodies a thread and the stars in shared memory, but still one cluster a
// launch
#include "contract.cuh"

#define BLOCK 256

namespace {

__device__ float term(float4 star, float4 own) {
  const float x = star.x - own.x, y = star.y - own.y, z = star.z - own.z;
  return star.w * rsqrtf(x * x + y * y + z * z + softening);
}

__global__ void __launch_bounds__(BLOCK) add_up(const float4* stars, float* potential, int bodies) {
  __shared__ float4 tile[BLOCK];
  const int first = blockIdx.x * (2 * BLOCK) + threadIdx.x, second = first + BLOCK;
  const float4 own = stars[min(first, bodies - 1)], other = stars[min(second, bodies - 1)];
  float sum = 0, other_sum = 0;
  for (int start = 0; start < bodies; start += BLOCK) {
    const int k = start + threadIdx.x;
    __syncthreads();
    tile[threadIdx.x] = k < bodies ? stars[k] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < BLOCK; ++j) {
      sum += term(tile[j], own);
      other_sum += term(tile[j], other);
    }
  }
  if (first < bodies) potential[first] = sum;
  if (second < bodies) potential[second] = other_sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.bodies + 2 * BLOCK - 1) / (2 * BLOCK));
  for (int cluster = 0; cluster < args.clusters; ++cluster) {
    const std::int64_t first = static_cast<std::int64_t>(cluster) * args.bodies;
    add_up<<<blocks, BLOCK, 0, stream>>>(args.stars + first, args.potential + first, args.bodies);
  }
}
