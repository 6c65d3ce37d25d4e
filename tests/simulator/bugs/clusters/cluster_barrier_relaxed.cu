// expect: block_race. A barrier of the cluster whose arrival is relaxed orders no memory.
// settings: {"checks": "full"}
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void __cluster_dims__(2, 1, 1) exchange(int* out) {
  __shared__ int own[64];
  const auto cluster = cooperative_groups::this_cluster();
  own[threadIdx.x] = threadIdx.x;
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  const int* theirs = cluster.map_shared_rank(own, cluster.block_rank() ^ 1);
  out[blockIdx.x * 64 + threadIdx.x] = theirs[63 - threadIdx.x];  // BUG
  cluster.sync();
}

extern "C" int run() {
  int* out = nullptr;
  cudaMalloc(&out, 128 * sizeof(int));
  exchange<<<2, 64>>>(out);
  return cudaDeviceSynchronize();
}
