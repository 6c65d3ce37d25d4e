// expect: stream_race, no line: host code carries none. Memory is allocated on one stream and used
// on another, which frees it before the first one has come to the allocation.
// settings: {"checks": "full", "deferred": true}
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }

extern "C" int run() {
  cudaStream_t allocates, uses;
  cudaStreamCreateWithFlags(&allocates, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&uses, cudaStreamNonBlocking);
  int* data = nullptr;
  cudaMallocAsync(reinterpret_cast<void**>(&data), 64 * sizeof(int), allocates);
  fill<<<1, 64, 0, uses>>>(data);
  cudaFreeAsync(data, uses);
  cudaStreamSynchronize(uses);
  return cudaDeviceSynchronize();
}
