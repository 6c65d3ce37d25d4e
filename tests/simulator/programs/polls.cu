// Asks whether work is done: until it is ("until", "event"), or so many times ("once", "often") and
// then reads what may not be there.
#include <cuda_runtime.h>
#include <cstdio>
#include <string>

__global__ void add(int* data, int value) { data[threadIdx.x] += value; }

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  const bool to_its_end = how == "until" || how == "event";
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  int *device, *host;
  cudaMalloc(&device, 32 * sizeof(int));
  cudaMemset(device, 0, 32 * sizeof(int));
  cudaMallocHost(&host, 32 * sizeof(int));
  int right = 0;
  for (int turn = 1; turn <= 4; ++turn) {
    add<<<1, 32, 0, stream>>>(device, 5);
    cudaMemcpyAsync(host, device, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(event, stream);
    for (int looks = how == "once" ? 1 : 1000; to_its_end || looks > 0; --looks)
      if ((how == "event" ? cudaEventQuery(event) : cudaStreamQuery(stream)) == cudaSuccess) break;
    right += host[31] == 5 * turn;
    cudaStreamSynchronize(stream);
  }
  std::printf("%d of 4\n", right);
  cudaFreeHost(host);
  cudaFree(device);
  cudaEventDestroy(event);
  cudaStreamDestroy(stream);
}
