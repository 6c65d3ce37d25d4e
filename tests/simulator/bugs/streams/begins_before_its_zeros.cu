// expect: stream_race. A kernel that may begin early reads, without a wait, what the one in front
// of it writes.
// settings: {"checks": "full", "deferred": true}
#include <cuda_runtime.h>

__global__ void clear(int* data) { data[threadIdx.x] = 0; }

__global__ void add(int* data, int more) {
  const int before = data[threadIdx.x];  // BUG
  data[threadIdx.x] = before + more;
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
  clear<<<1, 64, 0, stream>>>(data);
  cudaLaunchKernelEx(&config, add, data, 1);
  return cudaDeviceSynchronize();
}
