// Transposes a matrix by way of a tile in shared memory: rows of the matrix go in, columns come
// out.
#include "contract.cuh"

#ifndef WARPS
#define WARPS 8  // warps a block
#endif

namespace {

constexpr int side = 32;  // elements along a side of the tile

// TODO: this is correct, but slow. Make it faster and keep its results.
__global__ void transpose(Args args) {
  __shared__ float tile[side][side];
  const std::int64_t top = blockIdx.y * static_cast<std::int64_t>(side);
  const std::int64_t left = blockIdx.x * static_cast<std::int64_t>(side);
  const int x = threadIdx.x;

  for (int k = 0; k < side; k += WARPS)
    if (const int y = threadIdx.y + k; top + y < args.rows && left + x < args.columns)
      tile[y][x] = args.in[(top + y) * args.columns + left + x];
  __syncthreads();
  for (int k = 0; k < side; k += WARPS)
    if (const int y = threadIdx.y + k; left + y < args.columns && top + x < args.rows)
      args.out[(left + y) * args.rows + top + x] = tile[x][y];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 tiles(static_cast<unsigned>((args.columns + side - 1) / side),
                   static_cast<unsigned>((args.rows + side - 1) / side));
  transpose<<<tiles, dim3(side, WARPS), 0, stream>>>(args);
}
