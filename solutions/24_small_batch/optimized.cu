// One launch for all clusters; each thread takes two bodies, so that a star serves both, and the
// stars pass through shared memory a tile at a time.
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif
#ifndef BODIES
#define BODIES 2  // bodies a thread
#endif

namespace {

__device__ float term(float4 star, float4 own) {
  const float x = star.x - own.x, y = star.y - own.y, z = star.z - own.z;
  return star.w * rsqrtf(x * x + y * y + z * z + softening);
}

__global__ void __launch_bounds__(BLOCK) add_up(Args args) {
  __shared__ float4 tile[BLOCK];
  const std::int64_t cluster = static_cast<std::int64_t>(blockIdx.y) * args.bodies;
  const float4* stars = args.stars + cluster;
  const int first = blockIdx.x * (BLOCK * BODIES) + threadIdx.x;
  float4 own[BODIES];
  float sum[BODIES] = {};
#pragma unroll
  for (int b = 0; b < BODIES; ++b) own[b] = stars[min(first + b * BLOCK, args.bodies - 1)];

  for (int start = 0; start < args.bodies; start += BLOCK) {
    const int k = start + threadIdx.x;
    // A star without mass adds nothing, so the last tile is filled up with those.
    const float4 star = k < args.bodies ? stars[k] : make_float4(0, 0, 0, 0);
    __syncthreads();
    tile[threadIdx.x] = star;
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < BLOCK; ++j) {
#pragma unroll
      for (int b = 0; b < BODIES; ++b) sum[b] += term(tile[j], own[b]);
    }
  }
#pragma unroll
  for (int b = 0; b < BODIES; ++b)
    if (first + b * BLOCK < args.bodies) args.potential[cluster + first + b * BLOCK] = sum[b];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  constexpr int each = BLOCK * BODIES;
  const dim3 grid(static_cast<unsigned>((args.bodies + each - 1) / each),
                  static_cast<unsigned>(args.clusters));
  add_up<<<grid, BLOCK, 0, stream>>>(args);
}
