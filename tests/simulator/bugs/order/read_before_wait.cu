// expect: unsynchronized_read, no line: host code carries none. A result is used before the wait.
// settings: {"deferred": true}
#include <cuda_runtime.h>

__global__ void answer(int* out) { *out = 42; }

extern "C" int run() {
  int *device = nullptr, *host = nullptr;
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaMalloc(&device, sizeof(int));
  cudaMallocHost(&host, sizeof(int));
  *host = 42;
  answer<<<1, 1, 0, stream>>>(device);
  cudaMemcpyAsync(host, device, sizeof(int), cudaMemcpyDeviceToHost, stream);
  const int seen = *static_cast<volatile int*>(host);  // cudaStreamSynchronize is missing
  cudaStreamSynchronize(stream);
  const int settled = *static_cast<volatile int*>(host);
  return seen != 42 && settled == 42 ? 0 : 1;
}
