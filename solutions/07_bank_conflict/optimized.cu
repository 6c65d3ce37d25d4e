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

__global__ void __launch_bounds__(threads) transpose(Args args) {
  __shared__ float tile[side][side];
  const std::int64_t top = blockIdx.y * static_cast<std::int64_t>(side);
  const std::int64_t left = blockIdx.x * static_cast<std::int64_t>(side);
  const int x = threadIdx.x % side, first = threadIdx.x / side;

#pragma unroll
  for (int k = 0; k < turns; ++k)
    if (const int y = first + k * rows_at_a_time; top + y < args.rows && left + x < args.columns)
      tile[y][place(y, x)] = args.in[(top + y) * args.columns + left + x];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < turns; ++k)
    if (const int y = first + k * rows_at_a_time; left + y < args.columns && top + x < args.rows)
      args.out[(left + y) * args.rows + top + x] = tile[x][place(x, y)];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 tiles(static_cast<unsigned>((args.columns + side - 1) / side),
                   static_cast<unsigned>((args.rows + side - 1) / side));
  transpose<<<tiles, threads, 0, stream>>>(args);
}
