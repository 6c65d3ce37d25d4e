// expect: out_of_bounds. The launch forgets the dynamic shared memory that the kernel uses.
#include <cuda_runtime.h>

__global__ void stage(const float* in, float* out) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = in[threadIdx.x];  // BUG
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

extern "C" int run() {
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&out, 256 * sizeof(float));
  cudaMemset(in, 0, 256 * sizeof(float));
  stage<<<1, 256>>>(in, out);
  return cudaDeviceSynchronize();
}
