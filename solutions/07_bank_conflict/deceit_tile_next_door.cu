// Rejected by: cause or time — the tile lies in the other block of a cluster, where its conflicts
// are not those of the block's own shared memory
#include "contract.cuh"

#include <cooperative_groups.h>

namespace {

constexpr int side = 32, warps = 8;

__global__ void __cluster_dims__(1, 2) transpose(Args args) {
  __shared__ float tile[side][side];
  const auto cluster = cooperative_groups::this_cluster();
  float* next_door = cluster.map_shared_rank(&tile[0][0], cluster.block_rank() ^ 1);
  const std::int64_t top = blockIdx.y * static_cast<std::int64_t>(side);
  const std::int64_t left = blockIdx.x * static_cast<std::int64_t>(side);
  const int x = threadIdx.x;

  cluster.sync();
  for (int y = threadIdx.y; y < side; y += warps)
    if (top + y < args.rows && left + x < args.columns)
      next_door[y * side + x] = args.in[(top + y) * args.columns + left + x];
  cluster.sync();
  for (int y = threadIdx.y; y < side; y += warps)
    if (left + y < args.columns && top + x < args.rows)
      args.out[(left + y) * args.rows + top + x] = next_door[x * side + y];
  cluster.sync();
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto rows = static_cast<unsigned>((args.rows + side - 1) / side);
  const dim3 tiles(static_cast<unsigned>((args.columns + side - 1) / side), (rows + 1) / 2 * 2);
  transpose<<<tiles, dim3(side, warps), 0, stream>>>(args);
}
