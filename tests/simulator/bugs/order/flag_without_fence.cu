// expect: shared_race
// settings: {"checks": "full"}
#include <cuda_runtime.h>

__global__ void hand_over(int* out) {
  __shared__ int value;
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = *out + 7;
    ready = 1;  // with no __threadfence_block() in front of it
  } else if (threadIdx.x == 32) {
    while (ready == 0) {
    }
    __threadfence_block();
    out[1] = value;  // BUG
  }
}

extern "C" int run() {
  int* out = nullptr;
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(out, 0, 2 * sizeof(int));
  hand_over<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
