// expect: uninitialized_read. The accumulator was allocated but never set to zero.
// settings: {"checks": "full"}
#include <cuda_runtime.h>

__global__ void accumulate(const float* in, float* sums) {
  sums[threadIdx.x] += in[threadIdx.x];  // BUG
}

extern "C" int run() {
  float *in = nullptr, *sums = nullptr;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&sums, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  accumulate<<<1, 32>>>(in, sums);
  return cudaDeviceSynchronize();
}
