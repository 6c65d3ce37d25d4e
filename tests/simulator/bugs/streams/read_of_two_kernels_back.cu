// expect: stream_race. The kernel in the middle lets the last one begin before it waits, warp by
// warp: what lies in front of it may not be over when the last one reads that, ahead of its wait.
// settings: {"checks": "full", "deferred": true}
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }

__global__ void other(int* data) {
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
  data[threadIdx.x] = 1;
}

__global__ void use(const int* data, int* out) {
  const int early = data[threadIdx.x];  // BUG
  cudaGridDependencySynchronize();
  out[threadIdx.x] = early;
}

extern "C" int run() {
  int* data = nullptr;
  cudaMalloc(&data, 192 * sizeof(int));
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
  fill<<<1, 64, 0, stream>>>(data);
  cudaLaunchKernelEx(&config, other, data + 64);
  cudaLaunchKernelEx(&config, use, static_cast<const int*>(data), data + 128);
  return cudaDeviceSynchronize();
}
