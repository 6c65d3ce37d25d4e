// expect: block_race. The first block sets to zero what all the others add to.
// settings: {"checks": "full", "threads": 1}
#include <cuda_runtime.h>

__global__ void count(int* sums) {
  if (blockIdx.x == 0) sums[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&sums[threadIdx.x], 1);  // BUG
}

extern "C" int run() {
  int* sums = nullptr;
  cudaMalloc(&sums, 32 * sizeof(int));
  count<<<4, 32>>>(sums);
  return cudaDeviceSynchronize();
}
