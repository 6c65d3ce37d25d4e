// expect: unsynchronized_read, no line: host code carries none. Managed results are read too early.
// settings: {"deferred": true, "checks": "full"}
#include <cuda_runtime.h>

__managed__ int total;

__global__ void answer(int* out, int* apart) {
  out[threadIdx.x] = 42;
  apart[0] = total = 1;
}

extern "C" int run() {
  int *shared = nullptr, *apart = nullptr;
  cudaMallocManaged(&shared, 64 * sizeof(int));
  cudaMallocManaged(&apart, 64 * sizeof(int));
  shared[40] = apart[40] = 0;
  answer<<<1, 32>>>(shared, apart);
  apart[40] = 5;  // what the kernel does not use, the host may
  const int seen = static_cast<volatile int*>(shared)[7];  // cudaDeviceSynchronize is missing
  cudaDeviceSynchronize();
  const int settled = static_cast<volatile int*>(shared)[7];
  return seen != 42 && settled == 42 && total == 1 ? 0 : 1;
}
