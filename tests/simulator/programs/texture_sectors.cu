// What fetches move: along a row, down a column, between rows; and what a surface's stores do.
#include <cstdio>

__global__ void row(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0);
}
__global__ void column(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, 0, threadIdx.x);
}
__global__ void between(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.75f, 0.75f);
}
__global__ void put(cudaSurfaceObject_t surface) {
  surf2Dwrite(1.0f, surface, 4 * threadIdx.x, 0, cudaBoundaryModeZero);
}

int main() {
  float* out;
  cudaMalloc(&out, 128);
  const auto channel = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  cudaMallocArray(&resource.res.array.array, &channel, 32, 32, cudaArraySurfaceLoadStore);
  cudaTextureDesc plain{}, linear{};
  linear.filterMode = cudaFilterModeLinear;
  linear.addressMode[0] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0, filter = 0;
  cudaSurfaceObject_t surface = 0;
  cudaCreateTextureObject(&texture, &resource, &plain, nullptr);
  cudaCreateTextureObject(&filter, &resource, &linear, nullptr);
  cudaCreateSurfaceObject(&surface, &resource);
  row<<<1, 32>>>(texture, out);
  column<<<1, 32>>>(texture, out);
  between<<<1, 32>>>(filter, out);
  put<<<1, 64>>>(surface);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(texture);
  cudaDestroyTextureObject(filter);
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(resource.res.array.array);
  cudaFree(out);
  return 0;
}
