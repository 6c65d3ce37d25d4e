// expect: assertion. An input outside of what the kernel promises to handle.
#include <cuda_runtime.h>
#include <cassert>

__global__ void check(const int* in) {
  assert(in[threadIdx.x] >= 0);  // BUG
}

extern "C" int run() {
  int* in = nullptr;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMemset(in, 0xff, 32 * sizeof(int));
  check<<<1, 32>>>(in);
  return cudaDeviceSynchronize();
}
