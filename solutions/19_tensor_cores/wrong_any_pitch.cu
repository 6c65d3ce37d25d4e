// Rejected by: correct — tiles inside of the matrices come straight from device memory, whatever
// the width of their rows, which wmma asks to be a multiple of 8
#include "contract.cuh"

#include <mma.h>

namespace {

using namespace nvcuda;

constexpr int side = 16;

template <typename Layout>
using Half = wmma::fragment<Layout, side, side, side, __half, wmma::row_major>;

/// The tile at a row and a column, zero beyond the matrix; by way of `room` where it is ragged.
template <typename Fragment>
__device__ void load(Fragment& tile, const __half* matrix, std::int64_t rows, std::int64_t columns,
                     std::int64_t row, std::int64_t column, __half (&room)[side][side]) {
  if (row + side <= rows && column + side <= columns) {
    wmma::load_matrix_sync(tile, matrix + row * columns + column, static_cast<unsigned>(columns));
    return;
  }
  for (int i = static_cast<int>(threadIdx.x); i < side * side; i += warpSize) {
    const std::int64_t y = row + i / side, x = column + i % side;
    room[i / side][i % side] = y < rows && x < columns ? matrix[y * columns + x] : __half(0.0f);
  }
  __syncwarp();
  wmma::load_matrix_sync(tile, &room[0][0], side);
  __syncwarp();
}

__global__ void multiply(Args args) {
  __shared__ __align__(32) __half room[side][side];
  __shared__ __align__(32) float sums[side][side];
  const std::int64_t row = blockIdx.y * std::int64_t{side},
                     column = blockIdx.x * std::int64_t{side};
  wmma::fragment<wmma::accumulator, side, side, side, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (std::int64_t k = 0; k < args.k; k += side) {
    Half<wmma::matrix_a> a;
    Half<wmma::matrix_b> b;
    load(a, args.a, args.m, args.k, row, k, room);
    load(b, args.b, args.k, args.n, k, column, room);
    wmma::mma_sync(sum, a, b, sum);
  }
  wmma::store_matrix_sync(&sums[0][0], sum, side, wmma::mem_row_major);
  __syncwarp();
  for (int i = static_cast<int>(threadIdx.x); i < side * side; i += warpSize) {
    const std::int64_t y = row + i / side, x = column + i % side;
    if (y < args.m && x < args.n) args.c[y * args.n + x] = __float2half(sums[i / side][i % side]);
  }
}

unsigned tiles(std::int64_t extent) { return static_cast<unsigned>((extent + side - 1) / side); }

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  multiply<<<dim3(tiles(args.n), tiles(args.m)), 32, 0, stream>>>(args);
}
