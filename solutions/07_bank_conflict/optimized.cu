// Tiles of 64 x 64 without a spare word: each row keeps its words in another order, so that neither
// a row nor a column meets a bank twice.
#include "contract.cuh"

namespace {

constexpr int side = 64;  // elements along a side of the tile: 256 bytes, two warps
constexpr int threads = 256;
constexpr int rows_at_a_time = threads / side;
constexpr int turns = side / rows_at_a_time;  // elements of a thread, all under way together

/// The place of a column in its row of the tile. Along a row and along a column alike, 32
/// neighbours get 32 different values in the last five bits, which are the bank.
__device__ int place(int row, int column) { return column ^ (row % 32); }

/// Takes one tile from `in` to `out`. Only a tile at the edge has to ask for each element whether
/// it is there.
template <bool whole>
__device__ void turn(const Args& args, float (&tile)[side][side], std::int64_t top,
                     std::int64_t left) {
  const int x = threadIdx.x % side, first = threadIdx.x / side;
#pragma unroll
  for (int k = 0; k < turns; ++k)
    if (const int y = first + k * rows_at_a_time;
        whole || (top + y < args.rows && left + x < args.columns))
      tile[y][place(y, x)] = args.in[(top + y) * args.columns + left + x];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < turns; ++k)
    if (const int y = first + k * rows_at_a_time;
        whole || (left + y < args.columns && top + x < args.rows))
      args.out[(left + y) * args.rows + top + x] = tile[x][place(x, y)];
}

__global__ void __launch_bounds__(threads) transpose(Args args) {
  __shared__ float tile[side][side];
  const std::int64_t top = blockIdx.x * static_cast<std::int64_t>(side);
  const std::int64_t left = blockIdx.y * static_cast<std::int64_t>(side);
  if (top + side <= args.rows && left + side <= args.columns)
    turn<true>(args, tile, top, left);
  else
    turn<false>(args, tile, top, left);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  // Along x first: tiles below each other, which lie side by side in the output.
  const dim3 tiles(static_cast<unsigned>((args.rows + side - 1) / side),
                   static_cast<unsigned>((args.columns + side - 1) / side));
  transpose<<<tiles, threads, 0, stream>>>(args);
}
