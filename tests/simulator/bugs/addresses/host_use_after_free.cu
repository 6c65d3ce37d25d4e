// expect: use_after_free, no line: host code carries none. The host reads managed memory it freed.
// dies: the process ends by the signal.
#include <cuda_runtime.h>

extern "C" int run() {
  int* data = nullptr;
  cudaMallocManaged(&data, 32 * sizeof(int));
  data[0] = 1;
  cudaFree(data);
  return *static_cast<volatile int*>(data);
}
