// expect: shared_race. Threads of several warps increment one shared counter without an atomic.
// settings: {"checks": "full"}
#include <cuda_runtime.h>

__global__ void count(const int* in, int* out) {
  __shared__ int hits;
  if (threadIdx.x == 0) hits = 0;
  __syncthreads();
  if (in[threadIdx.x] == 0) hits += 1;  // BUG
  __syncthreads();
  if (threadIdx.x == 0) *out = hits;
}

extern "C" int run() {
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  count<<<1, 128>>>(in, out);
  return cudaDeviceSynchronize();
}
