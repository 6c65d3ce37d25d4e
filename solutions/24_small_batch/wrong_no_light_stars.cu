// Rejected by: correct — stars lighter than a millionth are left out, although a cluster may have
// no others
#include "contract.cuh"

#define BLOCK 256  // threads a block

namespace {

__global__ void add_up(Args args) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= args.bodies) return;
  const std::int64_t first = blockIdx.y * static_cast<std::int64_t>(args.bodies);
  const float4 own = args.stars[first + i];
  float sum = 0;
  for (int k = 0; k < args.bodies; ++k) {
    const float4 star = args.stars[first + k];
    if (star.w < 1e-6f) continue;
    const float x = star.x - own.x, y = star.y - own.y, z = star.z - own.z;
    sum += star.w * rsqrtf(x * x + y * y + z * z + softening);
  }
  args.potential[first + i] = sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.bodies + BLOCK - 1) / BLOCK);
  add_up<<<dim3(blocks, static_cast<unsigned>(args.clusters)), BLOCK, 0, stream>>>(args);
}
