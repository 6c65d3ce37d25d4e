// expect: out_of_bounds. A kernel is handed ordinary host memory.
#include <cuda_runtime.h>

__global__ void twice(int* data) {
  data[threadIdx.x] *= 2;  // BUG
}

extern "C" int run() {
  static int data[32] = {};
  twice<<<1, 32>>>(data);
  return cudaDeviceSynchronize();
}
