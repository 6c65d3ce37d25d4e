// expect: stream_race. The kernel in the middle lets the last one begin before it has waited
// itself, and never does: to wait for it is not to wait for the first one.
// settings: {"checks": "full", "deferred": true}
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }

__global__ void other(int* data) {
  cudaTriggerProgrammaticLaunchCompletion();
  data[threadIdx.x] = 1;
}

__global__ void use(const int* data, int* out) {
  cudaGridDependencySynchronize();
  out[threadIdx.x] = data[threadIdx.x];  // BUG
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
