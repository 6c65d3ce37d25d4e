// Rejected by: correct — rows and columns are numbered with 16 bits, which begin anew at 65,536
#include "contract.cuh"

namespace {

constexpr int side = 32;
constexpr int warps = 8;

__global__ void transpose(Args args) {
  __shared__ float tile[side][side + 1];
  const unsigned short top = blockIdx.y * side;
  const unsigned short left = blockIdx.x * side;
  const int x = threadIdx.x;
  for (int k = 0; k < side; k += warps) {
    const int y = threadIdx.y + k;
    if (top + y < args.rows && left + x < args.columns)
      tile[y][x] = args.in[(top + y) * args.columns + left + x];
  }
  __syncthreads();
  for (int k = 0; k < side; k += warps)
    if (const int y = threadIdx.y + k; left + y < args.columns && top + x < args.rows)
      args.out[(left + y) * args.rows + top + x] = tile[x][y];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 tiles(static_cast<unsigned>((args.columns + side - 1) / side),
                   static_cast<unsigned>((args.rows + side - 1) / side));
  transpose<<<tiles, dim3(side, warps), 0, stream>>>(args);
}
