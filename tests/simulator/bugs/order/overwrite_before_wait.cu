// expect: unsynchronized_read, no line: host code carries none. A source is reused too early.
// settings: {"deferred": true}
#include <cuda_runtime.h>

extern "C" int run() {
  int *device = nullptr, *host = nullptr;
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaMalloc(&device, sizeof(int));
  cudaMallocHost(&host, sizeof(int));
  *host = 1;
  cudaMemcpyAsync(device, host, sizeof(int), cudaMemcpyHostToDevice, stream);
  *static_cast<volatile int*>(host) = 2;  // cudaStreamSynchronize is missing
  int copied = 0;
  cudaStreamSynchronize(stream);
  cudaMemcpy(&copied, device, sizeof(int), cudaMemcpyDeviceToHost);
  return copied == 2 ? 0 : 1;
}
