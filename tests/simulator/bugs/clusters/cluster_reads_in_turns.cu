// expect: block_race. A block writes again what another one of the cluster may still be reading:
// also: the read, in the turn before
// __syncthreads() is no barrier between the two.
// settings: {"checks": "full"}
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void __cluster_dims__(2, 1, 1) turns(int* out) {
  __shared__ int own[64];
  const auto cluster = cooperative_groups::this_cluster();
  const int* theirs = cluster.map_shared_rank(own, cluster.block_rank() ^ 1);
  int sum = 0;
  for (int turn = 0; turn < 3; ++turn) {
    own[threadIdx.x] = turn;  // BUG
    cluster.sync();
    sum += theirs[63 - threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
  cluster.sync();
}

extern "C" int run() {
  int* out = nullptr;
  cudaMalloc(&out, 128 * sizeof(int));
  turns<<<2, 64>>>(out);
  return cudaDeviceSynchronize();
}
