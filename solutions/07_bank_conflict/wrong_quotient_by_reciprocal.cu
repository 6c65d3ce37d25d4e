// Rejected by: correct — a tile's row is found by the reciprocal of their number, which falls short
// of the quotient for some: 49 * (1.0 / 49) is less than 1
#include "contract.cuh"

#include <algorithm>

namespace {

__global__ void transpose(Args args) {
  __shared__ float tile[32][33];
  const std::int64_t across = (args.columns + 31) / 32, down = (args.rows + 31) / 32;
  const double reciprocal = 1.0 / static_cast<double>(across);
  for (std::int64_t t = blockIdx.x; t < across * down; t += gridDim.x) {
    const auto y = static_cast<std::int64_t>(static_cast<double>(t) * reciprocal);
    const std::int64_t row = 32 * y, column = 32 * (t - y * across);
    for (int i = threadIdx.y; i < 32; i += blockDim.y)
      if (row + i < args.rows && column + threadIdx.x < args.columns)
        tile[i][threadIdx.x] = args.in[(row + i) * args.columns + column + threadIdx.x];
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += blockDim.y)
      if (column + i < args.columns && row + threadIdx.x < args.rows)
        args.out[(column + i) * args.rows + row + threadIdx.x] = tile[threadIdx.x][i];
    __syncthreads();
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t tiles = ((args.rows + 31) / 32) * ((args.columns + 31) / 32);
  transpose<<<static_cast<unsigned>(std::min<std::int64_t>(tiles, 1056)), dim3(32, 8), 0, stream>>>(
      args);
}
