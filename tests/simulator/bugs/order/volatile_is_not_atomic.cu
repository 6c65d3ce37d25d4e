// expect: block_race. Each block reads the sum, adds to it and writes it, and volatile keeps none
// of the others from doing so in between.
// settings: {"checks": "full"}
#include <cuda_runtime.h>

__global__ void add_up(volatile int* sum) {
  if (threadIdx.x == 0) *sum = *sum + 1;  // BUG
}

extern "C" int run() {
  int* sum = nullptr;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  add_up<<<4, 32>>>(sum);
  return cudaDeviceSynchronize();
}
