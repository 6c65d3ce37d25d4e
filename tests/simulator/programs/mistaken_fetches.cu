// Fetches that fit neither the object nor its texels, and ones of bits that are no float: the first
// argument says which.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void line(cudaTextureObject_t texture, float* out) { *out = tex1D<float>(texture, 0); }
__global__ void layer(cudaTextureObject_t texture, float* out) {
  *out = tex2DLayered<float>(texture, 0, 0, 0);
}
__global__ void write(cudaSurfaceObject_t surface) { surf2Dwrite(1.0f, surface, 0, 0); }
__global__ void beside(cudaSurfaceObject_t surface) { surf1Dwrite(1.0f, surface, 0); }
__global__ void whole(cudaTextureObject_t texture, int* out) { *out = tex2D<int>(texture, 0, 0); }

int main(int, char** arguments) {
  const char* what = arguments[1];
  float* out;
  cudaMalloc(&out, sizeof(float));
  const auto channel = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  cudaMallocArray(&resource.res.array.array, &channel, 2, 2, cudaArraySurfaceLoadStore);
  // The first is a NaN that signals: a number that only looks like a float.
  const unsigned one[4] = {0x7fa12345, 0x3f800000, 1, 1};
  cudaMemcpy2DToArray(resource.res.array.array, 0, 0, one, 8, 8, 2, cudaMemcpyHostToDevice);
  const cudaTextureDesc plain{};
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;
  cudaCreateTextureObject(&texture, &resource, &plain, nullptr);
  cudaCreateSurfaceObject(&surface, &resource);
  if (std::strcmp(what, "line") == 0) line<<<1, 1>>>(texture, out);
  if (std::strcmp(what, "layer") == 0) layer<<<1, 1>>>(texture, out);
  if (std::strcmp(what, "read") == 0) layer<<<1, 1>>>(surface, out);
  if (std::strcmp(what, "write") == 0) write<<<1, 1>>>(texture);
  if (std::strcmp(what, "beside") == 0) beside<<<1, 1>>>(surface);
  if (std::strcmp(what, "bits") == 0) {
    int bits = 0;
    whole<<<1, 1>>>(texture, reinterpret_cast<int*>(out));
    cudaMemcpy(&bits, out, sizeof bits, cudaMemcpyDeviceToHost);
    std::printf("%x ", bits);
  }
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaDestroyTextureObject(texture);
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(resource.res.array.array);
  cudaFree(out);
  return 0;
}
