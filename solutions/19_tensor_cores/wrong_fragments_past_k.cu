// Rejected by: correct — where rows and columns are whole tiles and k is a multiple of 8, fragments
// come straight from the matrices; the last one of a k such as 40 reaches into the next row
//
// Two kernels. For well-shaped matrices a warp loads its fragments from global memory, 64 x 64
// results at a time, and the L1 cache serves what is used again; all others go through shared
// memory.
#include "contract.cuh"

#include <mma.h>

using namespace nvcuda;

namespace {

using FragmentA = wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>;
using FragmentB = wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

constexpr int warps = 4;
constexpr int patch_pitch = 20;
using Patch = float[16 * patch_pitch];

/// Rounds 16 x 16 sums and writes those that exist.
__device__ __forceinline__ void store(const Args& g, const Sum& sum, Patch& patch,
                                      std::int64_t row0, std::int64_t column0) {
  wmma::store_matrix_sync(patch, sum, patch_pitch, wmma::mem_row_major);
  __syncwarp();
  for (int e = threadIdx.x % 32; e < 256; e += 32) {
    const std::int64_t row = row0 + e / 16, column = column0 + e % 16;
    if (row < g.m && column < g.n)
      g.c[row * g.n + column] = __float2half_rn(patch[e / 16 * patch_pitch + e % 16]);
  }
  __syncwarp();
}

__global__ void __launch_bounds__(32 * warps) direct(Args g) {
  __shared__ alignas(32) Patch patches[warps];
  const int warp = threadIdx.x / 32;
  // The four warps of a block form a square, so that each row and column is loaded for two of them.
  const std::int64_t row0 = (2 * static_cast<std::int64_t>(blockIdx.y) + warp / 2) * 64;
  const std::int64_t column0 = (2 * static_cast<std::int64_t>(blockIdx.x) + warp % 2) * 64;
  if (row0 >= g.m || column0 >= g.n) return;  // a whole warp, and there is no barrier below

  Sum sum[4][4];
#pragma unroll
  for (int i = 0; i < 16; ++i) wmma::fill_fragment(sum[i / 4][i % 4], 0.0f);

  const __half* a = g.a + row0 * g.k;
  const __half* b = g.b + column0;
  const auto ka = static_cast<unsigned>(g.k), nb = static_cast<unsigned>(g.n);
  for (std::int64_t k = 0; k < g.k; k += 16, a += 16, b += 16 * g.n) {
    FragmentA fa[4];
    FragmentB fb[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) wmma::load_matrix_sync(fa[i], a + 16 * i * g.k, ka);
#pragma unroll
    for (int j = 0; j < 4; ++j) wmma::load_matrix_sync(fb[j], b + 16 * j, nb);
#pragma unroll
    for (int i = 0; i < 16; ++i)
      wmma::mma_sync(sum[i / 4][i % 4], fa[i / 4], fb[i % 4], sum[i / 4][i % 4]);
  }
#pragma unroll
  for (int i = 0; i < 16; ++i)
    store(g, sum[i / 4][i % 4], patches[warp], row0 + i / 4 * 16, column0 + i % 4 * 16);
}

__global__ void __launch_bounds__(32 * warps) general(Args g) {
  __shared__ alignas(32) __half ta[64][32 + 16];
  __shared__ alignas(32) __half tb[32][64 + 16];
  __shared__ alignas(32) Patch patches[warps];
  const int t = threadIdx.x, warp = t / 32;
  const std::int64_t row0 = blockIdx.y * std::int64_t{64}, column0 = blockIdx.x * std::int64_t{64};
  const int r0 = warp / 2 * 32, c0 = warp % 2 * 32;
  const __half zero = __ushort_as_half(0);

  Sum sum[2][2];
  for (int i = 0; i < 4; ++i) wmma::fill_fragment(sum[i / 2][i % 2], 0.0f);

  for (std::int64_t k0 = 0; k0 < g.k; k0 += 32) {
#pragma unroll 8
    for (int q = t; q < 64 * 32; q += 32 * warps) {
      const std::int64_t row = row0 + q / 32, k = k0 + q % 32;
      ta[q / 32][q % 32] = row < g.m && k < g.k ? g.a[row * g.k + k] : zero;
    }
#pragma unroll 8
    for (int q = t; q < 32 * 64; q += 32 * warps) {
      const std::int64_t k = k0 + q / 64, column = column0 + q % 64;
      tb[q / 64][q % 64] = k < g.k && column < g.n ? g.b[k * g.n + column] : zero;
    }
    __syncthreads();
    for (int k = 0; k < 32; k += 16) {
      FragmentA fa[2];
      FragmentB fb[2];
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(fa[i], &ta[r0 + 16 * i][k], 32 + 16);
        wmma::load_matrix_sync(fb[i], &tb[k][c0 + 16 * i], 64 + 16);
      }
      for (int i = 0; i < 4; ++i)
        wmma::mma_sync(sum[i / 2][i % 2], fa[i / 2], fb[i % 2], sum[i / 2][i % 2]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    store(g, sum[i / 2][i % 2], patches[warp], row0 + r0 + i / 2 * 16, column0 + c0 + i % 2 * 16);
}

unsigned parts(std::int64_t whole, int part) {
  return static_cast<unsigned>((whole + part - 1) / part);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  // Fragments want rows whose length is a multiple of 8 and may not hang over the edges of c.
  const bool shaped = args.m % 64 == 0 && args.n % 64 == 0 && args.k % 8 == 0;
  if (shaped)
    direct<<<dim3(parts(args.n, 128), parts(args.m, 128)), 32 * warps, 0, stream>>>(args);
  else
    general<<<dim3(parts(args.n, 64), parts(args.m, 64)), 32 * warps, 0, stream>>>(args);
}
