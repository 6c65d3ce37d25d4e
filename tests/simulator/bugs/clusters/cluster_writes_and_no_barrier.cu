// expect: block_race. What another block of the cluster adds is read behind __syncthreads() alone.
// also: the other way round
// settings: {"checks": "full"}
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void __cluster_dims__(2, 1, 1) bins(int* out) {
  __shared__ int own[64];
  const auto cluster = cooperative_groups::this_cluster();
  own[threadIdx.x] = 0;
  cluster.sync();
  for (int rank = 0; rank < 2; ++rank)
    atomicAdd(cluster.map_shared_rank(own, rank) + threadIdx.x, 1);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = own[threadIdx.x];  // BUG
  cluster.sync();
}

extern "C" int run() {
  int* out = nullptr;
  cudaMalloc(&out, 128 * sizeof(int));
  bins<<<2, 64>>>(out);
  return cudaDeviceSynchronize();
}
