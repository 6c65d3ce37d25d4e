// expect: stream_race, no line: host code carries none. Two streams use one room in turns, with no
// event between them.
// settings: {"checks": "full", "deferred": true}
#include <cuda_runtime.h>

__global__ void add(int* data, int more) { data[threadIdx.x] += more; }

extern "C" int run() {
  int *room = nullptr, *host = nullptr;
  cudaStream_t streams[2];
  cudaMalloc(&room, 64 * sizeof(int));
  cudaMallocHost(&host, 128 * sizeof(int));
  for (int i = 0; i < 128; ++i) host[i] = i;
  for (int i = 0; i < 2; ++i) {
    cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
    cudaMemcpyAsync(room, host + 64 * i, 64 * sizeof(int), cudaMemcpyDefault, streams[i]);
    add<<<1, 64, 0, streams[i]>>>(room, i);
  }
  return cudaDeviceSynchronize();
}
