// Rejected by: correct — all stars of a cluster go into shared memory, which has room for 4,096
#include "contract.cuh"

namespace {

constexpr int block = 256;
constexpr int most = 4096;

__global__ void add_up(Args args) {
  extern __shared__ float4 stars[];
  const std::int64_t first = blockIdx.y * static_cast<std::int64_t>(args.bodies);
  const int bodies = min(args.bodies, most);
  for (int k = threadIdx.x; k < bodies; k += block) stars[k] = args.stars[first + k];
  __syncthreads();
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= args.bodies) return;
  const float4 own = args.stars[first + i];
  float sum = 0;
  for (int k = 0; k < bodies; ++k) {
    const float x = stars[k].x - own.x, y = stars[k].y - own.y, z = stars[k].z - own.z;
    sum += stars[k].w * rsqrtf(x * x + y * y + z * z + softening);
  }
  args.potential[first + i] = sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  constexpr int bytes = most * sizeof(float4);
  cudaFuncSetAttribute(add_up, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const dim3 blocks(static_cast<unsigned>((args.bodies + block - 1) / block),
                    static_cast<unsigned>(args.clusters));
  add_up<<<blocks, block, bytes, stream>>>(args);
}
