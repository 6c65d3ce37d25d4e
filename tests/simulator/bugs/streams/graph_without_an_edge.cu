// expect: stream_race, no line: host code carries none. A graph's kernel adds to what its memset
// sets to zero, and no edge puts them in order.
// settings: {"checks": "full", "deferred": true}
#include <cuda_runtime.h>

__global__ void add(int* data) { data[threadIdx.x] += 1; }

extern "C" int run() {
  int* data = nullptr;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaGraph_t graph;
  cudaGraphNode_t zeros, sum;
  cudaGraphCreate(&graph, 0);
  cudaMemsetParams memset{};
  memset.dst = data;
  memset.elementSize = sizeof(int);
  memset.width = 64;
  memset.height = 1;
  cudaGraphAddMemsetNode(&zeros, graph, nullptr, 0, &memset);
  void* parameters[] = {&data};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(&add);
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(64);
  kernel.kernelParams = parameters;
  cudaGraphAddKernelNode(&sum, graph, nullptr, 0, &kernel);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, cudaStreamPerThread);
  return cudaDeviceSynchronize();
}
