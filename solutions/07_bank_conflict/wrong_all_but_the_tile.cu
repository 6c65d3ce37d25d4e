// Rejected by: cause — all but the flaw is mended: four loads under way before the first is used, a
// full multiprocessor, stores past L1; the columns of the tile are as they were
#include "contract.cuh"

namespace {

constexpr int side = 32, warps = 8, turns = side / warps;

__global__ void __launch_bounds__(side* warps, 8) transpose(Args args) {
  __shared__ float tile[side][side];
  const std::int64_t top = blockIdx.y * static_cast<std::int64_t>(side);
  const std::int64_t left = blockIdx.x * static_cast<std::int64_t>(side);
  const int x = threadIdx.x, y = threadIdx.y;

  float loaded[turns];
#pragma unroll
  for (int k = 0; k < turns; ++k)
    if (top + y + k * warps < args.rows && left + x < args.columns)
      loaded[k] = __ldg(args.in + (top + y + k * warps) * args.columns + left + x);
#pragma unroll
  for (int k = 0; k < turns; ++k) tile[y + k * warps][x] = loaded[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < turns; ++k)
    if (left + y + k * warps < args.columns && top + x < args.rows)
      __stcg(args.out + (left + y + k * warps) * args.rows + top + x, tile[x][y + k * warps]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 tiles(static_cast<unsigned>((args.columns + side - 1) / side),
                   static_cast<unsigned>((args.rows + side - 1) / side));
  transpose<<<tiles, dim3(side, warps), 0, stream>>>(args);
}
