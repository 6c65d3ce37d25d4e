// expect: block_race. A block reads its neighbour's shared memory, and no barrier of the cluster
// keeps that one from ending before.
// settings: {"checks": "full"}
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void __cluster_dims__(2) swap(int* out) {
  __shared__ int own[64];
  const auto cluster = cooperative_groups::this_cluster();
  own[threadIdx.x] = static_cast<int>(cluster.block_rank());
  cluster.sync();
  const int* other = cluster.map_shared_rank(own, cluster.block_rank() ^ 1);
  out[blockIdx.x * 64 + threadIdx.x] = other[threadIdx.x];  // BUG
}

extern "C" int run() {
  int* out = nullptr;
  cudaMalloc(&out, 128 * sizeof(int));
  swap<<<2, 64>>>(out);
  return cudaDeviceSynchronize();
}
