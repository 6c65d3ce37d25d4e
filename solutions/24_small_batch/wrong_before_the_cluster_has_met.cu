// Rejected by: correct — two blocks write each tile of stars into the memory of both, the first one
// before anything says that the other block has begun
#include <cooperative_groups.h>

#include "contract.cuh"

namespace {

constexpr int pair = 2;
constexpr int stars_each = 64;  // of a tile in each of two blocks

__global__ void __cluster_dims__(pair) add_up(Args args) {
  __shared__ float4 tile[pair * stars_each];
  const auto both = cooperative_groups::this_cluster();
  const int rank = static_cast<int>(both.block_rank());
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * args.bodies;
  const float4* stars = args.stars + first;
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(stars_each) + threadIdx.x;
  const float4 own = stars[i < args.bodies ? i : 0];

  float sum = 0;
  for (std::int64_t start = 0; start < args.bodies; start += pair * stars_each) {
    const std::int64_t k = start + rank * stars_each + threadIdx.x;
    const float4 star = stars[k < args.bodies ? k : 0];
    for (int block = 0; block < pair; ++block)
      both.map_shared_rank(tile, block)[rank * stars_each + threadIdx.x] = star;
    both.sync();
    const std::int64_t filled = min(args.bodies - start, std::int64_t{pair * stars_each});
    for (int j = 0; j < filled; ++j) {
      const float4 other = tile[j];
      const float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
      sum += other.w * rsqrtf(x * x + y * y + z * z + softening);
    }
    both.sync();
  }
  if (i < args.bodies) args.potential[first + i] = sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  constexpr int bodies = pair * stars_each;  // of a cluster of blocks
  const auto clusters = (static_cast<unsigned>(args.bodies) + bodies - 1) / bodies;
  add_up<<<dim3(pair * clusters, static_cast<unsigned>(args.clusters)), stars_each, 0, stream>>>(
      args);
}
