// expect: misaligned. A 16-byte load from an address that is only 4-byte aligned.
#include <cuda_runtime.h>

__global__ void sum4(const float* in, float* out) {
  const float4 v = *reinterpret_cast<const float4*>(in + 1 + 4 * threadIdx.x);  // BUG
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

extern "C" int run() {
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 1024 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 1024 * sizeof(float));
  sum4<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
