// expect: bad_shuffle_mask. All lanes shuffle, but the mask names only half of them.
#include <cuda_runtime.h>

__global__ void neighbour(const int* in, int* out) {
  out[threadIdx.x] = __shfl_down_sync(0x0000ffffu, in[threadIdx.x], 1);  // BUG
}

extern "C" int run() {
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  neighbour<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
