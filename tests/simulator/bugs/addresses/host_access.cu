// expect: host_access, no line: host code carries none. Host code reads device memory.
// dies: the process ends by the signal.
#include <cuda_runtime.h>

extern "C" int run() {
  int* data = nullptr;
  cudaMalloc(&data, 32 * sizeof(int));
  cudaMemset(data, 0, 32 * sizeof(int));
  cudaDeviceSynchronize();
  return *static_cast<volatile int*>(data);
}
