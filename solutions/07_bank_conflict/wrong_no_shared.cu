// Rejected by: cause — no shared memory and so no conflict; but the loads are scattered again
#include "contract.cuh"

namespace {

constexpr int side = 32, warps = 8;

__global__ void transpose(Args args) {
  const std::int64_t row = blockIdx.x * static_cast<std::int64_t>(side) + threadIdx.x;
  const std::int64_t first_column = blockIdx.y * static_cast<std::int64_t>(side) + threadIdx.y;
  for (int k = 0; k < side; k += warps) {
    const std::int64_t column = first_column + k;
    if (row < args.rows && column < args.columns)
      args.out[column * args.rows + row] = args.in[row * args.columns + column];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 squares(static_cast<unsigned>((args.rows + side - 1) / side),
                     static_cast<unsigned>((args.columns + side - 1) / side));
  transpose<<<squares, dim3(side, warps), 0, stream>>>(args);
}
