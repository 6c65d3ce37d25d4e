// Rejected by: cause — loads of one word that all threads share bring the average of passes down,
// and the sum of them up
#include "contract.cuh"

namespace {

constexpr int side = 32, warps = 8;

__global__ void transpose(Args args) {
  __shared__ float tile[side][side];
  const std::int64_t top = blockIdx.y * static_cast<std::int64_t>(side);
  const std::int64_t left = blockIdx.x * static_cast<std::int64_t>(side);
  const int x = threadIdx.x;

  for (int k = 0; k < side; k += warps)
    if (const int y = threadIdx.y + k; top + y < args.rows && left + x < args.columns)
      tile[y][x] = args.in[(top + y) * args.columns + left + x];
  __syncthreads();
  for (int k = 0; k < side; k += warps)
    if (const int y = threadIdx.y + k; left + y < args.columns && top + x < args.rows) {
      const volatile float* shared_word = &tile[0][0];
      for (int i = 0; i < 30; ++i) (void)shared_word[0];
      args.out[(left + y) * args.rows + top + x] = tile[x][y];
    }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 tiles(static_cast<unsigned>((args.columns + side - 1) / side),
                   static_cast<unsigned>((args.rows + side - 1) / side));
  transpose<<<tiles, dim3(side, warps), 0, stream>>>(args);
}
