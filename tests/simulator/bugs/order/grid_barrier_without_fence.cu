// expect: block_race. Blocks of a cooperative launch wait for each other by a counter of their own,
// with no fence that would make what one wrote visible to the others.
// settings: {"checks": "full"}
#include <cuda_runtime.h>

__device__ unsigned arrived;

__global__ void mirror(int* first, int* second) {
  first[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x) {
    }
  }
  __syncthreads();
  const unsigned other = gridDim.x - 1 - blockIdx.x;
  second[blockIdx.x * blockDim.x + threadIdx.x] = first[other * blockDim.x + threadIdx.x];  // BUG
}

extern "C" int run() {
  int* data = nullptr;
  cudaMalloc(&data, 256 * sizeof(int));
  int* second = data + 128;
  void* parameters[] = {&data, &second};
  cudaLaunchCooperativeKernel(mirror, dim3(2), dim3(64), parameters, 0, nullptr);
  return cudaDeviceSynchronize();
}
