// Rejected by: correct — a warp fills its tiles and multiplies them at once: what one lane wrote
// may not be there yet for the others
#include "contract.cuh"

#include <mma.h>

namespace {

using namespace nvcuda;

constexpr int side = 16;

__device__ __half element(const __half* matrix, std::int64_t row, std::int64_t column,
                          std::int64_t rows, std::int64_t columns) {
  return row < rows && column < columns ? matrix[row * columns + column] : __half(0);
}

__global__ void multiply(Args args) {
  __shared__ __half a[side * side], b[side * side];
  __shared__ float c[side * side];
  const std::int64_t top = blockIdx.y * static_cast<std::int64_t>(side);
  const std::int64_t left = blockIdx.x * static_cast<std::int64_t>(side);
  wmma::fragment<wmma::accumulator, side, side, side, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (std::int64_t k = 0; k < args.k; k += side) {
    for (int i = threadIdx.x; i < side * side; i += 32) {
      a[i] = element(args.a, top + i / side, k + i % side, args.m, args.k);
      b[i] = element(args.b, k + i / side, left + i % side, args.k, args.n);
    }
    wmma::fragment<wmma::matrix_a, side, side, side, __half, wmma::row_major> rows;
    wmma::fragment<wmma::matrix_b, side, side, side, __half, wmma::row_major> columns;
    wmma::load_matrix_sync(rows, a, side);
    wmma::load_matrix_sync(columns, b, side);
    wmma::mma_sync(sum, rows, columns, sum);
  }
  wmma::store_matrix_sync(c, sum, side, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x; i < side * side; i += 32)
    if (top + i / side < args.m && left + i % side < args.n)
      args.c[(top + i / side) * args.n + left + i % side] = __float2half(c[i]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 tiles(static_cast<unsigned>((args.n + side - 1) / side),
                   static_cast<unsigned>((args.m + side - 1) / side));
  multiply<<<tiles, 32, 0, stream>>>(args);
}
