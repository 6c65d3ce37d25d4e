// A plugin with one kernel that the simulator can't run and one that it can.
#include <cuda_runtime.h>

__global__ void sample(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2Dgather<float4>(texture, threadIdx.x, 0).x;  // UNSUPPORTED
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

// ---- a kernel that waits for a flag which one on another stream sets ----
__global__ void wait_for(volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void set(volatile int* flag) { *flag = 1; }

static int wait_for_flag(bool another_sets_it, cudaError_t expected) {
  int* flag = nullptr;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  cudaDeviceSynchronize();
  cudaStream_t waits = nullptr, sets = nullptr;
  for (cudaStream_t* stream : {&waits, &sets})
    cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
  wait_for<<<1, 32, 0, waits>>>(flag);
  set<<<1, 1, 0, another_sets_it ? sets : waits>>>(flag);
  return cudaDeviceSynchronize() == expected ? 0 : __LINE__;
}
extern "C" int flag_of_another_stream() { return wait_for_flag(true, cudaErrorNotSupported); }
extern "C" int flag_of_the_same_stream() { return wait_for_flag(false, cudaErrorLaunchTimeout); }
