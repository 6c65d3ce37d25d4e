// expect: bad_shuffle_mask. The mask names lanes that wait at the barrier and never take part.
// also: barrier_divergence, because half a warp waits at the barrier for the other half.
#include <cuda_runtime.h>

__global__ void half_reduce(const int* in, int* out) {
  __shared__ int half[16];
  int value = in[threadIdx.x];
  if (threadIdx.x < 16) {
    value += __shfl_down_sync(0xffffffffu, value, 8);  // BUG
    half[threadIdx.x] = value;
  }
  __syncthreads();
  out[threadIdx.x] = half[threadIdx.x % 16];
}

extern "C" int run() {
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  half_reduce<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
