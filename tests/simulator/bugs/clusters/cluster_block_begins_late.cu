// expect: block_race. A block writes to its neighbour's shared memory, and no barrier of the
// cluster says that the neighbour has begun.
// settings: {"checks": "full"}
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void __cluster_dims__(2) swap(int* out) {
  __shared__ int arrives[64];
  const auto cluster = cooperative_groups::this_cluster();
  int* other = cluster.map_shared_rank(arrives, cluster.block_rank() ^ 1);
  other[threadIdx.x] = static_cast<int>(cluster.block_rank());  // BUG
  cluster.sync();
  out[blockIdx.x * 64 + threadIdx.x] = arrives[threadIdx.x];
}

extern "C" int run() {
  int* out = nullptr;
  cudaMalloc(&out, 128 * sizeof(int));
  swap<<<2, 64>>>(out);
  return cudaDeviceSynchronize();
}
