// Rejected by: correct — a way of its own for matrices of whole squares of 256, as large ones often
// are, in which nobody turns the tile
#include "contract.cuh"

namespace {

constexpr int side = 32, warps = 8, whole = 256;

template <bool all_inside>
__global__ void transpose(Args args) {
  __shared__ float tile[side][side + 1];
  const std::int64_t top = blockIdx.y * static_cast<std::int64_t>(side);
  const std::int64_t left = blockIdx.x * static_cast<std::int64_t>(side);
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < side; y += warps)
    if (all_inside || (top + y < args.rows && left + x < args.columns))
      tile[y][x] = args.in[(top + y) * args.columns + left + x];
  __syncthreads();
  for (int y = threadIdx.y; y < side; y += warps)
    if (all_inside)
      args.out[(left + y) * args.rows + top + x] = tile[y][x];
    else if (left + y < args.columns && top + x < args.rows)
      args.out[(left + y) * args.rows + top + x] = tile[x][y];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>((args.columns + side - 1) / side),
                    static_cast<unsigned>((args.rows + side - 1) / side));
  if (args.rows % whole == 0 && args.columns % whole == 0)
    transpose<true><<<blocks, dim3(side, warps), 0, stream>>>(args);
  else
    transpose<false><<<blocks, dim3(side, warps), 0, stream>>>(args);
}
