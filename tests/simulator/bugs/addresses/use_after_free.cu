// expect: use_after_free. The input is freed before the kernel that reads it is launched.
#include <cuda_runtime.h>

__global__ void copy(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // BUG
}

extern "C" int run() {
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  cudaFree(in);
  copy<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
