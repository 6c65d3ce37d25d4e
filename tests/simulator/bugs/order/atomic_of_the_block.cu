// expect: block_race. All blocks add to the same counters, atomically for their own threads alone.
// settings: {"checks": "full"}
#include <cuda_runtime.h>

__global__ void count(int* sums) {
  atomicAdd_block(&sums[threadIdx.x], 1);  // BUG
}

extern "C" int run() {
  int* sums = nullptr;
  cudaMalloc(&sums, 32 * sizeof(int));
  cudaMemset(sums, 0, 32 * sizeof(int));
  count<<<4, 32>>>(sums);
  return cudaDeviceSynchronize();
}
