// expect: block_race. Each block replaces the element that the one before it reads as well.
// settings: {"checks": "full"}
// also: the last block reads what the first has replaced.
#include <cuda_runtime.h>

__global__ void add_next(int* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = data[i] + data[(i + 1) % count];
  __syncthreads();
  data[i] = sum;  // BUG
}

extern "C" int run() {
  int* data = nullptr;
  cudaMalloc(&data, 128 * sizeof(int));
  cudaMemset(data, 0, 128 * sizeof(int));
  add_next<<<4, 32>>>(data, 128);
  return cudaDeviceSynchronize();
}
