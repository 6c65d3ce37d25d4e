// expect: out_of_bounds, no line: host code carries none. A copy is longer than its destination.
#include <cuda_runtime.h>

extern "C" int run() {
  static float host[64] = {};
  float* device = nullptr;
  cudaMalloc(&device, 32 * sizeof(float));
  return cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
}
