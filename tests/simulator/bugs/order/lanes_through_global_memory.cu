// expect: warp_race. Lanes of a warp hand over through global memory, with no __syncwarp().
// settings: {"checks": "full"}
#include <cuda_runtime.h>

__global__ void neighbours(int* data) {
  data[threadIdx.x] = threadIdx.x;
  const int next = data[(threadIdx.x + 1) % 32];  // BUG
  data[32 + threadIdx.x] = next;
}

extern "C" int run() {
  int* data = nullptr;
  cudaMalloc(&data, 64 * sizeof(int));
  neighbours<<<1, 32>>>(data);
  return cudaDeviceSynchronize();
}
