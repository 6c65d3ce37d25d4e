// Ends in: pass — WMMA as in the book: tiles staged in shared memory, zeros where the matrix ends,
// and 64 x 32 results for each warp
#include "contract.cuh"

#include <mma.h>

namespace {

using namespace nvcuda;

constexpr int tile_m = 128, tile_n = 128, tile_k = 32;
constexpr int a_pitch = tile_k + 8, b_pitch = tile_n + 8, c_pitch = tile_n + 4;
constexpr int threads = 256;  // 2 x 4 warps

__global__ void __launch_bounds__(threads) multiply(Args args) {
  extern __shared__ __align__(128) unsigned char memory[];
  auto* a = reinterpret_cast<__half*>(memory);
  auto* b = a + tile_m * a_pitch;
  auto* c = reinterpret_cast<float*>(memory);  // when the products are done
  const std::int64_t row = blockIdx.y * static_cast<std::int64_t>(tile_m);
  const std::int64_t column = blockIdx.x * static_cast<std::int64_t>(tile_n);
  const int warp = threadIdx.x / 32, top = warp / 4 * 64, left = warp % 4 * 32;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][2];
  for (auto& line : sum)
    for (auto& one : line) wmma::fill_fragment(one, 0.0f);

  for (std::int64_t step = 0; step < args.k; step += tile_k) {
    for (int i = threadIdx.x; i < tile_m * tile_k; i += threads) {
      const std::int64_t y = row + i / tile_k, x = step + i % tile_k;
      a[i / tile_k * a_pitch + i % tile_k] =
          y < args.m && x < args.k ? args.a[y * args.k + x] : __half(0);
    }
    for (int i = threadIdx.x; i < tile_k * tile_n; i += threads) {
      const std::int64_t y = step + i / tile_n, x = column + i % tile_n;
      b[i / tile_n * b_pitch + i % tile_n] =
          y < args.k && x < args.n ? args.b[y * args.n + x] : __half(0);
    }
    __syncthreads();
    for (int k = 0; k < tile_k; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a_part[4];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b_part[2];
      for (int i = 0; i < 4; ++i)
        wmma::load_matrix_sync(a_part[i], a + (top + 16 * i) * a_pitch + k, a_pitch);
      for (int j = 0; j < 2; ++j)
        wmma::load_matrix_sync(b_part[j], b + k * b_pitch + left + 16 * j, b_pitch);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j) wmma::mma_sync(sum[i][j], a_part[i], b_part[j], sum[i][j]);
    }
    __syncthreads();
  }

  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(c + (top + 16 * i) * c_pitch + left + 16 * j, sum[i][j], c_pitch,
                              wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < tile_m * tile_n; i += threads) {
    const std::int64_t y = row + i / tile_n, x = column + i % tile_n;
    if (y < args.m && x < args.n)
      args.c[y * args.n + x] = __float2half(c[i / tile_n * c_pitch + i % tile_n]);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  constexpr int bytes = tile_m * c_pitch * sizeof(float);
  cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const dim3 blocks(static_cast<unsigned>((args.n + tile_n - 1) / tile_n),
                    static_cast<unsigned>((args.m + tile_m - 1) / tile_m));
  multiply<<<blocks, threads, bytes, stream>>>(args);
}
