// expect: block_race. An atomic operation of the block's scope on another block's shared memory.
// settings: {"checks": "full"}
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void __cluster_dims__(2, 1, 1) count(int* out) {
  __shared__ int bin;
  const auto cluster = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) bin = 0;
  cluster.sync();
  atomicAdd_block(cluster.map_shared_rank(&bin, 0), 1);  // BUG
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = bin;
}

extern "C" int run() {
  int* out = nullptr;
  cudaMalloc(&out, 2 * sizeof(int));
  count<<<2, 64>>>(out);
  return cudaDeviceSynchronize();
}
