// Rejected by: correct — adds up in half precision, where a sum of thousands of products keeps too
// few of its bits
#include "contract.cuh"

#include <mma.h>

namespace {

using namespace nvcuda;

constexpr int tile = 64, depth = 32, threads = 128;

__global__ void __launch_bounds__(threads) multiply(Args args) {
  __shared__ __align__(32) __half a[tile][depth + 8];
  __shared__ __align__(32) __half b[depth][tile + 8];
  __shared__ __align__(32) __half c[tile][tile + 8];
  const std::int64_t row = blockIdx.y * static_cast<std::int64_t>(tile);
  const std::int64_t column = blockIdx.x * static_cast<std::int64_t>(tile);
  const int top = threadIdx.x / 64 * 32, left = threadIdx.x / 32 % 2 * 32;

  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> sum[2][2];
  for (int i = 0; i < 4; ++i) wmma::fill_fragment(sum[i / 2][i % 2], __half(0));

  for (std::int64_t step = 0; step < args.k; step += depth) {
    for (int i = threadIdx.x; i < tile * depth; i += threads) {
      const std::int64_t y = row + i / depth, x = step + i % depth;
      a[i / depth][i % depth] = y < args.m && x < args.k ? args.a[y * args.k + x] : __half(0);
    }
    for (int i = threadIdx.x; i < tile * depth; i += threads) {
      const std::int64_t y = step + i / tile, x = column + i % tile;
      b[i / tile][i % tile] = y < args.k && x < args.n ? args.b[y * args.n + x] : __half(0);
    }
    __syncthreads();
    for (int k = 0; k < depth; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a_part[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b_part[2];
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(a_part[i], &a[top + 16 * i][k], depth + 8);
        wmma::load_matrix_sync(b_part[i], &b[k][left + 16 * i], tile + 8);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) wmma::mma_sync(sum[i][j], a_part[i], b_part[j], sum[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(&c[top + 16 * i][left + 16 * j], sum[i][j], tile + 8,
                              wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < tile * tile; i += threads) {
    const std::int64_t y = row + i / tile, x = column + i % tile;
    if (y < args.m && x < args.n) args.c[y * args.n + x] = c[i / tile][i % tile];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>((args.n + tile - 1) / tile),
                    static_cast<unsigned>((args.m + tile - 1) / tile));
  multiply<<<blocks, threads, 0, stream>>>(args);
}
