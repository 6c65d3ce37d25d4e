// expect: use_after_free. A texture is read whose array is freed.
#include <cuda_runtime.h>

__global__ void copy(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0);  // BUG
}

extern "C" int run() {
  float* out = nullptr;
  cudaMalloc(&out, 8 * sizeof(float));
  const cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  cudaMallocArray(&resource.res.array.array, &channel, 8, 8);
  const cudaTextureDesc plain{};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &plain, nullptr);
  cudaFreeArray(resource.res.array.array);
  copy<<<1, 8>>>(texture, out);
  return cudaDeviceSynchronize();
}
