// expect: stale_read. A kernel reads by __ldg() what it has written itself.
// settings: {"checks": "full"}
#include <cuda_runtime.h>

__global__ void twice(int* data, int* sums) {
  data[threadIdx.x] += 1;
  __syncthreads();
  sums[threadIdx.x] = __ldg(&data[255 - threadIdx.x]);  // BUG
}

extern "C" int run() {
  int *data = nullptr, *sums = nullptr;
  cudaMalloc(&data, 256 * sizeof(int));
  cudaMalloc(&sums, 256 * sizeof(int));
  cudaMemset(data, 0, 256 * sizeof(int));
  twice<<<1, 256>>>(data, sums);
  return cudaDeviceSynchronize();
}
