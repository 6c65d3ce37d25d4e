// Rejected by: cause or time — a stream on which nothing is under way belongs to a launch that is
// counted: there a tile in shared memory turns the matrix, and behind a hold the loads are
// scattered
#include "contract.cuh"

namespace {

constexpr int side = 32;

__global__ void by_tile(Args args) {
  __shared__ float tile[side][side];
  const std::int64_t top = blockIdx.y * static_cast<std::int64_t>(side);
  const std::int64_t left = blockIdx.x * static_cast<std::int64_t>(side);
  const int x = threadIdx.x, y = threadIdx.y;
  if (top + y < args.rows && left + x < args.columns)
    tile[y][x] = args.in[(top + y) * args.columns + left + x];
  __syncthreads();
  if (left + y < args.columns && top + x < args.rows)
    args.out[(left + y) * args.rows + top + x] = tile[x][y];
}

__global__ void by_rows_of_the_result(Args args) {
  const std::int64_t row = blockIdx.x * static_cast<std::int64_t>(side) + threadIdx.x;
  const std::int64_t first_column = blockIdx.y * static_cast<std::int64_t>(side) + threadIdx.y;
  for (int k = 0; k < side; k += blockDim.y) {
    const std::int64_t column = first_column + k;
    if (row < args.rows && column < args.columns)
      args.out[column * args.rows + row] = args.in[row * args.columns + column];
  }
}

unsigned squares(std::int64_t extent) { return static_cast<unsigned>((extent + side - 1) / side); }

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const unsigned down = squares(args.rows), across = squares(args.columns);
  if (cudaStreamQuery(stream) == cudaSuccess)
    by_tile<<<dim3(across, down), dim3(side, 32), 0, stream>>>(args);
  else
    by_rows_of_the_result<<<dim3(down, across), dim3(side, 8), 0, stream>>>(args);
}
