// Right, but fails: time or cause — all clusters at once, but a cluster is one block: half of an
// H200 has none
#include "contract.cuh"

namespace {

__global__ void add_up(Args args) {
  const int bodies = args.bodies;
  const float4* stars = args.stars + static_cast<std::int64_t>(blockIdx.x) * bodies;
  float* potential = args.potential + static_cast<std::int64_t>(blockIdx.x) * bodies;
  for (int i = threadIdx.x; i < bodies; i += blockDim.x) {
    const float4 own = stars[i];
    float sum = 0;
    for (int k = 0; k < bodies; ++k) {
      const float4 star = stars[k];
      const float x = star.x - own.x, y = star.y - own.y, z = star.z - own.z;
      sum += star.w * rsqrtf(x * x + y * y + z * z + softening);
    }
    potential[i] = sum;
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  add_up<<<args.clusters, 64, 0, stream>>>(args);
}
