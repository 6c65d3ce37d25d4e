// expect: barrier_divergence. Half of each warp is at one barrier while the rest is at the next.
#include <cuda_runtime.h>

__global__ void half_sync(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x % 32 < 16) {
    __syncthreads();  // BUG
    out[threadIdx.x] = tile[63 - threadIdx.x];
  }
  __syncthreads();
}

extern "C" int run() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  half_sync<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
