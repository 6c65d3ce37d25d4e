// Rejected by: cause — 16 bytes a thread on every way make the conflict cheaper and leave it there:
// eight passes for what one could bring
#include "contract.cuh"

namespace {

constexpr int side = 64;                       // elements along a side of a tile
constexpr int quads = side / 4;                // vectors of four along it
constexpr int threads = quads * quads;         // each takes a square of 4 x 4 elements
constexpr int tile_words = 32, word_rows = 8;  // for matrices whose rows hold no vectors

__global__ void __launch_bounds__(threads) transpose_quads(Args args) {
  __shared__ float4 tile[side][quads];  // transposed already
  const int x = threadIdx.x % quads, y = threadIdx.x / quads;
  const std::int64_t top = blockIdx.y * static_cast<std::int64_t>(side);
  const std::int64_t left = blockIdx.x * static_cast<std::int64_t>(side);

  // Both sides are multiples of 4, so that a square of 4 x 4 is in the matrix or out of it.
  if (top + 4 * y < args.rows && left + 4 * x < args.columns) {
    const float* from = args.in + (top + 4 * y) * args.columns + left + 4 * x;
    float4 row[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) row[k] = *reinterpret_cast<const float4*>(from + k * args.columns);
    float4* to = &tile[4 * x][y];
    to[0 * quads] = {row[0].x, row[1].x, row[2].x, row[3].x};
    to[1 * quads] = {row[0].y, row[1].y, row[2].y, row[3].y};
    to[2 * quads] = {row[0].z, row[1].z, row[2].z, row[3].z};
    to[3 * quads] = {row[0].w, row[1].w, row[2].w, row[3].w};
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < side; k += quads) {
    const int column = y + k;
    if (left + column < args.columns && top + 4 * x < args.rows)
      *reinterpret_cast<float4*>(args.out + (left + column) * args.rows + top + 4 * x) =
          tile[column][x];
  }
}

__global__ void __launch_bounds__(tile_words* word_rows) transpose_words(Args args) {
  __shared__ float tile[tile_words][tile_words + 1];
  const int x = threadIdx.x % tile_words, first = threadIdx.x / tile_words;
  const std::int64_t top = blockIdx.y * static_cast<std::int64_t>(tile_words);
  const std::int64_t left = blockIdx.x * static_cast<std::int64_t>(tile_words);
#pragma unroll
  for (int k = 0; k < tile_words; k += word_rows)
    if (const int y = first + k; top + y < args.rows && left + x < args.columns)
      tile[y][x] = args.in[(top + y) * args.columns + left + x];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < tile_words; k += word_rows)
    if (const int y = first + k; left + y < args.columns && top + x < args.rows)
      args.out[(left + y) * args.rows + top + x] = tile[x][y];
}

dim3 tiles_of(const Args& args, int side) {
  return dim3(static_cast<unsigned>((args.columns + side - 1) / side),
              static_cast<unsigned>((args.rows + side - 1) / side));
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (args.rows % 4 == 0 && args.columns % 4 == 0)
    transpose_quads<<<tiles_of(args, side), threads, 0, stream>>>(args);
  else
    transpose_words<<<tiles_of(args, tile_words), tile_words * word_rows, 0, stream>>>(args);
}
