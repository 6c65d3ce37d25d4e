// expect: stream_race. In a graph a kernel that may begin before the one in front has ended adds to
// what that one writes, without a wait.
// settings: {"checks": "full", "deferred": true}
#include <cuda_runtime.h>

__global__ void clear(int* data) { data[threadIdx.x] = 0; }

__global__ void add(int* data, int more) {
  atomicAdd(data + threadIdx.x, more);  // BUG
}

extern "C" int run() {
  int* data = nullptr;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(64);
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = 1;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  clear<<<1, 64, 0, stream>>>(data);
  cudaLaunchKernelEx(&config, add, data, 1);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  return cudaDeviceSynchronize();
}
