// expect: block_race. The last block adds up what others wrote, and told their own block alone.
// settings: {"checks": "full"}
#include <cuda_runtime.h>

__device__ unsigned tickets;

__global__ void add_up(int* parts, int* sum) {
  parts[blockIdx.x] = 1;
  __threadfence_block();
  if (atomicAdd(&tickets, 1) + 1 < gridDim.x) return;
  for (unsigned block = 0; block < gridDim.x; ++block) *sum += parts[block];  // BUG
}

extern "C" int run() {
  int* parts = nullptr;
  cudaMalloc(&parts, 5 * sizeof(int));
  cudaMemset(parts, 0, 5 * sizeof(int));
  add_up<<<4, 1>>>(parts, parts + 4);
  return cudaDeviceSynchronize();
}
