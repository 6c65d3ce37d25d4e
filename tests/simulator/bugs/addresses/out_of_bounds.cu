// expect: out_of_bounds. The guard is off by one, so one thread writes behind the buffer.
#include <cuda_runtime.h>

__global__ void fill(int n, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) {
    out[i] = 1.0f;  // BUG
  }
}

extern "C" int run() {
  const int n = 1000;
  float* out = nullptr;
  cudaMalloc(&out, n * sizeof(float));
  fill<<<(n + 255) / 256, 256>>>(n, out);
  return cudaDeviceSynchronize();
}
