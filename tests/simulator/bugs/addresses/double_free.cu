// expect: use_after_free, no line: host code carries none. The same memory is freed twice.
#include <cuda_runtime.h>

extern "C" int run() {
  int* data = nullptr;
  cudaMalloc(&data, 32 * sizeof(int));
  cudaFree(data);
  return cudaFree(data);
}
