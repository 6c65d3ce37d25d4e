// Rejected by: correct — masks what lies outside by a product with zero and a sum: a zero with a
// minus sign loses it
#include "contract.cuh"

namespace {

constexpr int side = 32;
constexpr int warps = 8;

__global__ void transpose(Args args) {
  __shared__ float tile[side][side + 1];
  const std::int64_t top = blockIdx.y * static_cast<std::int64_t>(side);
  const std::int64_t left = blockIdx.x * static_cast<std::int64_t>(side);
  const int x = threadIdx.x;
  for (int k = 0; k < side; k += warps) {
    const int y = threadIdx.y + k;
    const bool inside = top + y < args.rows && left + x < args.columns;
    const std::int64_t at = inside ? (top + y) * args.columns + left + x : 0;
    tile[y][x] = args.in[at] * (inside ? 1.0f : 0.0f) + 0.0f;
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
