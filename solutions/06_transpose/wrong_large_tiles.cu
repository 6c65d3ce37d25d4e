// Rejected by: correct — of large matrices every second tile is stored as it was read
#include "contract.cuh"

namespace {

constexpr int side = 32;

__global__ void transpose(Args args, bool large) {
  __shared__ float tile[side][side + 1];
  const std::int64_t top = blockIdx.y * static_cast<std::int64_t>(side);
  const std::int64_t left = blockIdx.x * static_cast<std::int64_t>(side);
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < side; y += blockDim.y)
    if (top + y < args.rows && left + x < args.columns)
      tile[y][x] = args.in[(top + y) * args.columns + left + x];
  __syncthreads();
  const bool whole = top + side <= args.rows && left + side <= args.columns;
  const bool turned = !(large && whole && blockIdx.x % 2 == 1);
  for (int y = threadIdx.y; y < side; y += blockDim.y)
    if (left + y < args.columns && top + x < args.rows)
      args.out[(left + y) * args.rows + top + x] = turned ? tile[x][y] : tile[y][x];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 tiles(static_cast<unsigned>((args.columns + side - 1) / side),
                   static_cast<unsigned>((args.rows + side - 1) / side));
  const bool large = args.rows * args.columns > 3'000'000;
  transpose<<<tiles, dim3(side, 8), 0, stream>>>(args, large);
}
