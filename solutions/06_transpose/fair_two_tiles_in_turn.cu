// Ends in: pass — blocks that take one tile after the other, in two rooms by turns, so that one
// barrier a tile is enough
#include "contract.cuh"

namespace {

constexpr int side = 32, warps = 8, blocks = 2112;

__global__ void transpose(Args args) {
  __shared__ float rooms[2][side][side + 1];
  const std::int64_t across = (args.columns + side - 1) / side;
  const std::int64_t tiles = across * ((args.rows + side - 1) / side);
  const int x = threadIdx.x;

  int turn = 0;
  for (std::int64_t t = blockIdx.x; t < tiles; t += gridDim.x, turn ^= 1) {
    auto& tile = rooms[turn];
    const std::int64_t top = t / across * side, left = t % across * side;
#pragma unroll
    for (int k = 0; k < side; k += warps)
      if (const int y = threadIdx.y + k; top + y < args.rows && left + x < args.columns)
        tile[y][x] = args.in[(top + y) * args.columns + left + x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < side; k += warps)
      if (const int y = threadIdx.y + k; left + y < args.columns && top + x < args.rows)
        args.out[(left + y) * args.rows + top + x] = tile[x][y];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  transpose<<<blocks, dim3(side, warps), 0, stream>>>(args);
}
