// Gathers through a texture, which the simulator refuses.
#include <cstdio>

__global__ void fetch(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2Dgather<float4>(texture, threadIdx.x, 0).x;
}

int main() {
  float* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(float));
  fetch<<<1, 32>>>(0, out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
