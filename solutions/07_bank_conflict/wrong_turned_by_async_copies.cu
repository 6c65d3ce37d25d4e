// Rejected by: cause or time — asynchronous copies turn the tile on its way in, and are no stores
// of a thread: each of a warp still meets one bank with all lanes
#include "contract.cuh"

#include <cuda_pipeline_primitives.h>

namespace {

constexpr int side = 32, warps = 8;

__global__ void __launch_bounds__(side* warps) transpose(Args args) {
  __shared__ float tile[side][side];
  const std::int64_t top = blockIdx.x * static_cast<std::int64_t>(side);
  const std::int64_t left = blockIdx.y * static_cast<std::int64_t>(side);
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < side; y += warps)
    if (top + y < args.rows && left + x < args.columns)
      __pipeline_memcpy_async(&tile[x][y], &args.in[(top + y) * args.columns + left + x],
                              sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int y = threadIdx.y; y < side; y += warps)
    if (left + y < args.columns && top + x < args.rows)
      args.out[(left + y) * args.rows + top + x] = tile[y][x];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 tiles(static_cast<unsigned>((args.rows + side - 1) / side),
                   static_cast<unsigned>((args.columns + side - 1) / side));
  transpose<<<tiles, dim3(side, warps), 0, stream>>>(args);
}
