// expect: block_race. What is written past L1 is as unordered as any store: the ticket is drawn
// before the part is there.
// settings: {"checks": "full"}
#include <cuda_runtime.h>

__device__ unsigned tickets;

__global__ void add_up(int* parts, int* sum) {
  const bool last = atomicAdd(&tickets, 1) + 1 == gridDim.x;
  __stcg(parts + blockIdx.x, 1);
  __threadfence();
  if (!last) return;
  for (unsigned block = 0; block < gridDim.x; ++block) *sum += __ldcg(parts + block);  // BUG
}

extern "C" int run() {
  int* parts = nullptr;
  cudaMalloc(&parts, 5 * sizeof(int));
  cudaMemset(parts, 0, 5 * sizeof(int));
  add_up<<<4, 1>>>(parts, parts + 4);
  return cudaDeviceSynchronize();
}
