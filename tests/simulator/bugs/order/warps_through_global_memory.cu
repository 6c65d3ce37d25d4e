// expect: shared_race. Warps of a block hand over through global memory, with no __syncthreads().
// settings: {"checks": "full"}
#include <cuda_runtime.h>

__global__ void reverse(int* data) {
  data[threadIdx.x] = threadIdx.x;
  __syncwarp();
  if (threadIdx.x >= 32) data[64 + threadIdx.x] = data[63 - threadIdx.x];  // BUG
}

extern "C" int run() {
  int* data = nullptr;
  cudaMalloc(&data, 128 * sizeof(int));
  reverse<<<1, 64>>>(data);
  return cudaDeviceSynchronize();
}
