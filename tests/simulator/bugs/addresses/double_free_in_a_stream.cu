// expect: use_after_free, no line: host code carries none. A stream is asked to free the same
// memory twice.
#include <cuda_runtime.h>

extern "C" int run() {
  int* data = nullptr;
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaMallocAsync(&data, 32 * sizeof(int), stream);
  cudaFreeAsync(data, stream);
  const cudaError_t second = cudaFreeAsync(data, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  return second;
}
