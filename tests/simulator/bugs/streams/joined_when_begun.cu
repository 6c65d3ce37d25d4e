// expect: stream_race, no line: host code carries none. Another stream waits for an event of the
// launch, which comes when the blocks have begun, and reads what they may not have written yet.
// settings: {"checks": "full", "deferred": true}
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }

extern "C" int run() {
  int *data = nullptr, *host = nullptr;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMallocHost(&host, 64 * sizeof(int));
  cudaStream_t writes, reads;
  cudaStreamCreateWithFlags(&writes, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&reads, cudaStreamNonBlocking);
  cudaLaunchAttribute begun{};
  begun.id = cudaLaunchAttributeLaunchCompletionEvent;
  cudaEventCreateWithFlags(&begun.val.launchCompletionEvent.event, cudaEventDisableTiming);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(64);
  config.stream = writes;
  config.attrs = &begun;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, fill, data);
  cudaStreamWaitEvent(reads, begun.val.launchCompletionEvent.event);
  cudaMemcpyAsync(host, data, 64 * sizeof(int), cudaMemcpyDefault, reads);
  return cudaDeviceSynchronize();
}
