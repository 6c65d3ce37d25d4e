// Rejected by: correct — two blocks share the stars that act on a body, and add what they find; the
// bytes to be zeroed before are an unsigned int, and of more than 4 GiB most are not
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 128  // threads a block
#endif

namespace {

constexpr int parts = 2;

__global__ void __launch_bounds__(BLOCK) add_up(Args args) {
  const std::int64_t cluster = static_cast<std::int64_t>(blockIdx.y) * args.bodies;
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= args.bodies) return;
  const float4 own = args.stars[cluster + i];
  const int share = (args.bodies + parts - 1) / parts;
  const int first = blockIdx.z * share, end = min(first + share, args.bodies);
  float sum = 0;
  for (int k = first; k < end; ++k) {
    const float4 star = args.stars[cluster + k];
    const float x = star.x - own.x, y = star.y - own.y, z = star.z - own.z;
    sum += star.w * rsqrtf(x * x + y * y + z * z + softening);
  }
  atomicAdd(&args.potential[cluster + i], sum);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const unsigned bytes = static_cast<unsigned>(args.clusters) * args.bodies * sizeof(float);
  cudaMemsetAsync(args.potential, 0, bytes, stream);
  const dim3 grid(static_cast<unsigned>((args.bodies + BLOCK - 1) / BLOCK),
                  static_cast<unsigned>(args.clusters), parts);
  add_up<<<grid, BLOCK, 0, stream>>>(args);
}
