// expect: uninitialized_read. What was discarded is read before it is written again.
// settings: {"checks": "full"}
#include <cuda_runtime.h>

__global__ void discard(float* data) {
  data[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) asm volatile("discard.global.L2 [%0], 128;" ::"l"(data) : "memory");
  __syncthreads();
  data[threadIdx.x + 64] = data[threadIdx.x];  // BUG
}

extern "C" int run() {
  float* data = nullptr;
  cudaMalloc(&data, 128 * sizeof(float));
  discard<<<1, 64>>>(data);
  return cudaDeviceSynchronize();
}
