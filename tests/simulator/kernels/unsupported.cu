// A plugin with one kernel that the simulator can't run and one that it can.
#include <cuda_runtime.h>

__global__ void sample(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);  // UNSUPPORTED
}

__global__ void plain(int* out) { *out = 5; }

extern "C" int run() {
  float* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(float));
  sample<<<1, 32>>>(0, out);
  if (cudaGetLastError() != cudaErrorNotSupported) return __LINE__;
  int* number = nullptr;
  cudaMalloc(&number, sizeof(int));
  plain<<<1, 1>>>(number);
  int value = 0;
  if (cudaMemcpy(&value, number, sizeof value, cudaMemcpyDeviceToHost) != cudaSuccess) {
    return __LINE__;
  }
  return value == 5 ? 0 : __LINE__;
}
