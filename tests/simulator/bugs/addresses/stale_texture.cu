// expect: stale_read. A texture is read whose memory the same kernel has written.
// settings: {"checks": "full"}
#include <cuda_runtime.h>

__global__ void mirror(cudaTextureObject_t texture, float* data, float* out) {
  data[threadIdx.x] = static_cast<float>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tex1Dfetch<float>(texture, 63 - threadIdx.x);  // BUG
}

extern "C" int run() {
  float *data = nullptr, *out = nullptr;
  cudaMalloc(&data, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(data, 0, 64 * sizeof(float));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {data, cudaCreateChannelDesc<float>(), 64 * sizeof(float)};
  const cudaTextureDesc plain{};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &plain, nullptr);
  mirror<<<1, 64>>>(texture, data, out);
  return cudaDeviceSynchronize();
}
