// Right, but fails: time — tensor cores at last, but each warp loads two tiles for every one that
// it multiplies, so that they wait for shared memory
#include "contract.cuh"

#include <mma.h>

namespace {

using namespace nvcuda;

constexpr int warps = 4;

__global__ void __launch_bounds__(warps * 32) multiply(Args args) {
  __shared__ __align__(32) __half a[warps][16 * 24];
  __shared__ __align__(32) __half b[warps][16 * 24];
  __shared__ __align__(32) float c[warps][16 * 16];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const std::int64_t row = blockIdx.y * 16ll;
  const std::int64_t column = (blockIdx.x * warps + warp) * 16ll;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (std::int64_t step = 0; step < args.k; step += 16) {
    for (int i = lane; i < 256; i += 32) {
      const std::int64_t y = row + i / 16, x = step + i % 16;
      a[warp][i / 16 * 24 + i % 16] = y < args.m && x < args.k ? args.a[y * args.k + x] : __half(0);
    }
    for (int i = lane; i < 256; i += 32) {
      const std::int64_t y = step + i / 16, x = column + i % 16;
      b[warp][i / 16 * 24 + i % 16] = y < args.k && x < args.n ? args.b[y * args.n + x] : __half(0);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a_part;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b_part;
    wmma::load_matrix_sync(a_part, a[warp], 24);
    wmma::load_matrix_sync(b_part, b[warp], 24);
    wmma::mma_sync(sum, a_part, b_part, sum);
    __syncwarp();
  }
  wmma::store_matrix_sync(c[warp], sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = lane; i < 256; i += 32) {
    const std::int64_t y = row + i / 16, x = column + i % 16;
    if (y < args.m && x < args.n) args.c[y * args.n + x] = __float2half(c[warp][i]);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>((args.n + 16 * warps - 1) / (16 * warps)),
                    static_cast<unsigned>((args.m + 15) / 16));
  multiply<<<blocks, warps * 32, 0, stream>>>(args);
}
