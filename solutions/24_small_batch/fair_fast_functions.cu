// Ends in: pass — a root and a division of the fast kind, stars from the last to the first, and
// four sums that are joined at the end
#include "contract.cuh"

namespace {

__device__ float share_of(const float4& star, const float4& own) {
  const float dx = star.x - own.x, dy = star.y - own.y, dz = star.z - own.z;
  return __fdividef(star.w, sqrtf(softening + dz * dz + dy * dy + dx * dx));
}

__global__ void __launch_bounds__(128) potentials(Args args) {
  const int i = blockIdx.y * 128 + threadIdx.x;
  if (i >= args.bodies) return;
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(args.bodies);
  const float4 own = __ldg(args.stars + first + i);
  float sums[4] = {0, 0, 0, 0};
  int k = args.bodies - 1;
  for (; k >= 3; k -= 4)
#pragma unroll
    for (int part = 0; part < 4; ++part)
      sums[part] += share_of(__ldg(args.stars + first + k - part), own);
  for (; k >= 0; --k) sums[0] += share_of(__ldg(args.stars + first + k), own);
  args.potential[first + i] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(args.clusters),
                  static_cast<unsigned>((args.bodies + 127) / 128));
  potentials<<<grid, 128, 0, stream>>>(args);
}
