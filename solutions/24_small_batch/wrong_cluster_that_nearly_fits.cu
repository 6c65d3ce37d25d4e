// Rejected by: correct — a cluster whose stars fit stays in shared memory, but 228 KiB are what a
// multiprocessor has; a block may have one less
#include "contract.cuh"

namespace {

constexpr int block = 256;
constexpr std::size_t room = 228 << 10;

__device__ float term(float4 star, float4 own) {
  const float x = star.x - own.x, y = star.y - own.y, z = star.z - own.z;
  return star.w * rsqrtf(x * x + y * y + z * z + softening);
}

__global__ void __launch_bounds__(block) add_up_held(Args args) {
  extern __shared__ float4 held[];
  const std::int64_t cluster = static_cast<std::int64_t>(blockIdx.y) * args.bodies;
  for (int k = threadIdx.x; k < args.bodies; k += block) held[k] = args.stars[cluster + k];
  __syncthreads();
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= args.bodies) return;
  const float4 own = held[i];
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < args.bodies; ++k) sum += term(held[k], own);
  args.potential[cluster + i] = sum;
}

__global__ void __launch_bounds__(block) add_up(Args args) {
  const std::int64_t cluster = static_cast<std::int64_t>(blockIdx.y) * args.bodies;
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= args.bodies) return;
  const float4 own = args.stars[cluster + i];
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < args.bodies; ++k) sum += term(args.stars[cluster + k], own);
  args.potential[cluster + i] = sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>((args.bodies + block - 1) / block),
                  static_cast<unsigned>(args.clusters));
  const std::size_t bytes = static_cast<std::size_t>(args.bodies) * sizeof(float4);
  if (bytes > room) return add_up<<<grid, block, 0, stream>>>(args);
  cudaFuncSetAttribute(add_up_held, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(bytes));
  add_up_held<<<grid, block, bytes, stream>>>(args);
}
