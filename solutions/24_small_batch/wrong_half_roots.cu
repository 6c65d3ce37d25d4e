// Rejected by: correct — roots in half precision where a cluster is large: over thousands of stars
// the errors cancel, as long as no star outweighs the others
#include "contract.cuh"

#include <cuda_fp16.h>

namespace {

constexpr int block = 128, large = 4000;

__device__ float exact(float squared) { return rsqrtf(squared); }
__device__ float rough(float squared) { return __half2float(hrsqrt(__float2half(squared))); }

template <bool Exact>
__global__ void __launch_bounds__(block) add_up(Args args) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= args.bodies) return;
  const float4* stars = args.stars + static_cast<std::int64_t>(blockIdx.y) * args.bodies;
  const float4 own = stars[i];
  float sum = 0;
  for (int k = 0; k < args.bodies; ++k) {
    const float x = stars[k].x - own.x, y = stars[k].y - own.y, z = stars[k].z - own.z;
    const float squared = fmaf(x, x, fmaf(y, y, fmaf(z, z, softening)));
    sum += stars[k].w * (Exact ? exact(squared) : rough(squared));
  }
  args.potential[static_cast<std::int64_t>(blockIdx.y) * args.bodies + i] = sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>((args.bodies + block - 1) / block),
                  static_cast<unsigned>(args.clusters));
  if (args.bodies < large)
    add_up<true><<<grid, block, 0, stream>>>(args);
  else
    add_up<false><<<grid, block, 0, stream>>>(args);
}
