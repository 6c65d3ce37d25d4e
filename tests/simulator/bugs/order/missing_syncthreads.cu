// expect: shared_race. Threads read what others wrote to shared memory without a barrier between.
// settings: {"checks": "full"}
// also: uninitialized_shared at the same line, and the race seen from the writing side.
#include <cuda_runtime.h>

__global__ void reverse(int* data) {
  __shared__ int tile[256];
  tile[threadIdx.x] = data[threadIdx.x];
  // __syncthreads() is missing here.
  data[threadIdx.x] = tile[255 - threadIdx.x];  // BUG
}

extern "C" int run() {
  int* data = nullptr;
  cudaMalloc(&data, 256 * sizeof(int));
  cudaMemset(data, 0, 256 * sizeof(int));
  reverse<<<1, 256>>>(data);
  return cudaDeviceSynchronize();
}
