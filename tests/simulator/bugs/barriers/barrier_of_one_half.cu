// expect: shared_race
// settings: {"checks": "full"}
#include <cuda_runtime.h>

__device__ void meet(int barrier) { asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory"); }

__global__ void halves(int* out) {
  __shared__ int sums[2];
  const int half = threadIdx.x / 64;
  if (threadIdx.x == 0) sums[0] = sums[1] = 0;
  meet(1 + half);             // the other half does not come to this barrier
  atomicAdd(&sums[half], 1);  // BUG
  __syncthreads();
  if (threadIdx.x < 2) out[threadIdx.x] = sums[threadIdx.x];
}

extern "C" int run() {
  int* out = nullptr;
  cudaMalloc(&out, 2 * sizeof(int));
  halves<<<1, 128>>>(out);
  return cudaDeviceSynchronize();
}
