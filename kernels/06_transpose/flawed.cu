// Transposes a matrix. A block takes a square of it, and each of its warps a part of a row at a
// time.
#include "contract.cuh"

#ifndef WARPS
#define WARPS 8  // warps a block
#endif

namespace {

constexpr int side = 32;  // elements along a side of the square

// TODO: this is correct, but slow. Make it faster and keep its results.
__global__ void transpose(Args args) {
  const std::int64_t column = blockIdx.x * static_cast<std::int64_t>(side) + threadIdx.x;
  const std::int64_t first_row = blockIdx.y * static_cast<std::int64_t>(side) + threadIdx.y;
  for (int k = 0; k < side; k += WARPS) {
    const std::int64_t row = first_row + k;
    if (row < args.rows && column < args.columns)
      args.out[column * args.rows + row] = args.in[row * args.columns + column];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 squares(static_cast<unsigned>((args.columns + side - 1) / side),
                     static_cast<unsigned>((args.rows + side - 1) / side));
  transpose<<<squares, dim3(side, WARPS), 0, stream>>>(args);
}
