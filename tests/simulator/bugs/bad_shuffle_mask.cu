// expect: bad_shuffle_mask. The mask names all lanes, but only the first sixteen take part.
#include <cuda_runtime.h>

__global__ void half_reduce(const int* in, int* out) {
  int value = in[threadIdx.x];
  if (threadIdx.x < 16) {
    value += __shfl_down_sync(0xffffffffu, value, 8);  // BUG
    out[threadIdx.x] = value;
  }
}

extern "C" int run() {
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  half_reduce<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
