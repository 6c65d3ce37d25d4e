// Rejected by: correct — each block takes one tile after the other, and nothing keeps fast warps
// from filling the next one while slow ones still read
#include "contract.cuh"

namespace {

constexpr int side = 32, warps = 8, blocks = 1056;

__global__ void transpose(Args args) {
  __shared__ float tile[side][side + 1];
  const std::int64_t across = (args.columns + side - 1) / side;
  const std::int64_t tiles = across * ((args.rows + side - 1) / side);
  const int x = threadIdx.x;

  for (std::int64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    const std::int64_t top = t / across * side, left = t % across * side;
    for (int k = 0; k < side; k += warps)
      if (const int y = threadIdx.y + k; top + y < args.rows && left + x < args.columns)
        tile[y][x] = args.in[(top + y) * args.columns + left + x];
    __syncthreads();
    for (int k = 0; k < side; k += warps)
      if (const int y = threadIdx.y + k; left + y < args.columns && top + x < args.rows)
        args.out[(left + y) * args.rows + top + x] = tile[x][y];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  transpose<<<blocks, dim3(side, warps), 0, stream>>>(args);
}
