// Rejected by: correct — narrow matrices go through in one row, and an element's row is found by
// the reciprocal of the columns in float, one too low at the beginnings of rows of 41, 47, 55 and
// 61
#include "contract.cuh"

namespace {

constexpr int side = 32;
constexpr int high = 8;
constexpr int block = 256;
constexpr int widest = 64;  // columns of a narrow matrix

/// Neighbours read neighbours; a store's elements lie in few long rows of the result.
__global__ void __launch_bounds__(block) transpose_narrow(Args args, int columns, float inverse) {
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(block);
  // The rows before the block's are counted exactly, so that small numbers are left.
  const std::int64_t rows_before = first / columns;
  const int index = static_cast<int>(first - rows_before * columns) + threadIdx.x;
  if (first + threadIdx.x >= args.rows * args.columns) return;
  const int row = static_cast<int>(static_cast<float>(index) * inverse);
  const int column = index - row * columns;
  args.out[column * args.rows + rows_before + row] = args.in[first + threadIdx.x];
}

__global__ void __launch_bounds__(side* high) transpose(Args args, std::int64_t across) {
  __shared__ float tile[side][side + 1];
  const std::int64_t row0 = blockIdx.x / across * side;
  const std::int64_t column0 = blockIdx.x % across * side;
  for (int y = threadIdx.y; y < side; y += high)
    if (row0 + y < args.rows && column0 + threadIdx.x < args.columns)
      tile[y][threadIdx.x] = args.in[(row0 + y) * args.columns + column0 + threadIdx.x];
  __syncthreads();
  for (int y = threadIdx.y; y < side; y += high)
    if (column0 + y < args.columns && row0 + threadIdx.x < args.rows)
      args.out[(column0 + y) * args.rows + row0 + threadIdx.x] = tile[threadIdx.x][y];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (args.columns <= widest) {
    const std::int64_t elements = args.rows * args.columns;
    const auto blocks = static_cast<unsigned>((elements + block - 1) / block);
    const int columns = static_cast<int>(args.columns);
    transpose_narrow<<<blocks, block, 0, stream>>>(args, columns,
                                                   1.0f / static_cast<float>(columns));
    return;
  }
  const std::int64_t across = (args.columns + side - 1) / side;
  const std::int64_t tiles = across * ((args.rows + side - 1) / side);
  transpose<<<static_cast<unsigned>(tiles), dim3(side, high), 0, stream>>>(args, across);
}
