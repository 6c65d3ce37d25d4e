// expect: out_of_bounds. The allocation was forgotten, so the kernel gets a null pointer.
#include <cuda_runtime.h>

__global__ void fill(int* out) {
  out[threadIdx.x] = 1;  // BUG
}

extern "C" int run() {
  int* out = nullptr;
  fill<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
