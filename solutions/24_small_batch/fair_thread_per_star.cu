// Ends in: pass — all stars in one row, a thread for each, which works out its cluster
#include "contract.cuh"

namespace {

__global__ void potentials(Args args) {
  const std::int64_t at = blockIdx.x * 128ll + threadIdx.x;
  if (at >= static_cast<std::int64_t>(args.clusters) * args.bodies) return;
  const std::int64_t cluster = at / args.bodies;
  const float4 own = args.stars[at];
  float sum = 0.0f;
  for (std::int64_t k = cluster * args.bodies; k < (cluster + 1) * args.bodies; k++) {
    const float dx = own.x - args.stars[k].x;
    const float dy = own.y - args.stars[k].y;
    const float dz = own.z - args.stars[k].z;
    sum += args.stars[k].w / sqrtf(dx * dx + dy * dy + dz * dz + softening);
  }
  args.potential[at] = sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t stars = static_cast<std::int64_t>(args.clusters) * args.bodies;
  potentials<<<static_cast<unsigned>((stars + 127) / 128), 128, 0, stream>>>(args);
}
