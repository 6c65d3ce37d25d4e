// Rejected by: cause — everything but the tensor cores: tiles in shared memory and 8 x 8 sums for
// each thread, on the ordinary units
#include "contract.cuh"

namespace {

constexpr int tile = 128, depth = 16, threads = 256;

__global__ void __launch_bounds__(threads) multiply(Args args) {
  __shared__ float a[depth][tile + 4];
  __shared__ float b[depth][tile + 4];
  const std::int64_t row = blockIdx.y * static_cast<std::int64_t>(tile);
  const std::int64_t column = blockIdx.x * static_cast<std::int64_t>(tile);
  const int top = threadIdx.x / 16 * 4, left = threadIdx.x % 16 * 4;

  float sum[8][8] = {};
  for (std::int64_t step = 0; step < args.k; step += depth) {
    for (int i = threadIdx.x; i < tile * depth; i += threads) {
      const std::int64_t y = row + i / depth, x = step + i % depth;
      a[i % depth][i / depth] =
          y < args.m && x < args.k ? __half2float(args.a[y * args.k + x]) : 0.0f;
    }
    for (int i = threadIdx.x; i < tile * depth; i += threads) {
      const std::int64_t y = step + i / tile, x = column + i % tile;
      b[i / tile][i % tile] =
          y < args.k && x < args.n ? __half2float(args.b[y * args.n + x]) : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float a_part[8], b_part[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        a_part[i] = a[k][top + i / 4 * 64 + i % 4];
        b_part[i] = b[k][left + i / 4 * 64 + i % 4];
      }
#pragma unroll
      for (int i = 0; i < 64; ++i) sum[i / 8][i % 8] += a_part[i / 8] * b_part[i % 8];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    const std::int64_t y = row + top + i / 32 * 64 + i / 8 % 4;
    const std::int64_t x = column + left + i % 8 / 4 * 64 + i % 4;
    if (y < args.m && x < args.n) args.c[y * args.n + x] = __float2half(sum[i / 8][i % 8]);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>((args.n + tile - 1) / tile),
                    static_cast<unsigned>((args.m + tile - 1) / tile));
  multiply<<<blocks, threads, 0, stream>>>(args);
}
