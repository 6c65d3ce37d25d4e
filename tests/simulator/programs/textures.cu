// Arrays and texture objects: what every kind of fetch gives, and what wrong uses answer.
#include <cmath>
#include <cstdio>
#include <vector>

#define SAY(call) std::printf("%s\n", cudaGetErrorName(call))

__global__ void rows(cudaTextureObject_t texture, const float* at, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, at[2 * threadIdx.x], at[2 * threadIdx.x + 1]);
}
__global__ void line(cudaTextureObject_t texture, const float* at, float* out) {
  out[threadIdx.x] = tex1D<float>(texture, at[2 * threadIdx.x]);
}
__global__ void cube(cudaTextureObject_t texture, const float* at, float* out) {
  const float x = at[2 * threadIdx.x];
  out[threadIdx.x] = tex3D<float>(texture, x, at[2 * threadIdx.x + 1], x);
}
__global__ void layers(cudaTextureObject_t texture, const float* at, float* out) {
  out[threadIdx.x] = tex2DLayered<float>(texture, at[0], at[1], threadIdx.x);
}
__global__ void indices(cudaTextureObject_t texture, int first, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, first + static_cast<int>(threadIdx.x));
}
__global__ void bytes(cudaTextureObject_t texture, float* out) {
  const uchar4 texel = tex2D<uchar4>(texture, 1.5f, 0.5f);
  out[0] = texel.x, out[1] = texel.y, out[2] = texel.z, out[3] = texel.w;
}
__global__ void shares(cudaTextureObject_t texture, float* out) {
  const float4 texel = tex2D<float4>(texture, 1.5f, 0.5f);
  out[0] = texel.x, out[1] = texel.y, out[2] = texel.z, out[3] = texel.w;
}
__global__ void shorts(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1Dfetch<short2>(texture, threadIdx.x).y;
}

static float *places, *results;

static void show(const char* what, int count) {
  std::vector<float> host(count);
  std::printf("%s", what);
  if (cudaMemcpy(host.data(), results, count * sizeof(float), cudaMemcpyDeviceToHost) !=
      cudaSuccess)
    std::printf(" failed");
  for (const float value : host) std::printf(" %g", value);
  std::printf("\n");
}

static void put(std::vector<float> at) {
  cudaMemcpy(places, at.data(), at.size() * sizeof(float), cudaMemcpyHostToDevice);
}

static cudaTextureObject_t over(cudaArray_t array, cudaTextureAddressMode mode, bool linear,
                                bool normalized,
                                cudaTextureReadMode read = cudaReadModeElementType) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc texture{};
  for (auto& each : texture.addressMode) each = mode;
  texture.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  texture.readMode = read;
  texture.normalizedCoords = normalized;
  cudaTextureObject_t object = 0;
  const cudaError_t code = cudaCreateTextureObject(&object, &resource, &texture, nullptr);
  if (code != cudaSuccess) SAY(code);
  return object;
}

// 4 x 3 texels of 10 y + x.
static void arrays() {
  float texels[12];
  for (int i = 0; i < 12; ++i) texels[i] = static_cast<float>(i / 4 * 10 + i % 4);
  const auto channel = cudaCreateChannelDesc<float>();
  cudaArray_t array, single;
  SAY(cudaMallocArray(&array, &channel, 4, 3));
  SAY(cudaMemcpy2DToArray(array, 0, 0, texels, 16, 16, 3, cudaMemcpyHostToDevice));
  const auto fetch = [&](const char* what, cudaTextureAddressMode mode, bool linear,
                         bool normalized, std::vector<float> at) {
    put(at);
    const cudaTextureObject_t texture = over(array, mode, linear, normalized);
    rows<<<1, static_cast<unsigned>(at.size() / 2)>>>(texture, places, results);
    show(what, static_cast<int>(at.size() / 2));
    cudaDestroyTextureObject(texture);
  };
  fetch("point", cudaAddressModeClamp, false, false, {0, 0, 1.9f, 1, 3.5f, 2.5f, -5, 9, 99, 0});
  fetch("border", cudaAddressModeBorder, false, false, {0, 0, -0.1f, 0, 4, 1, 3.9f, 2.9f});
  fetch("linear", cudaAddressModeClamp, true, false, {0.5f, 0.5f, 1, 1, 0, 0, 2.25f, 1.5f, 9, 9});
  fetch("linear border", cudaAddressModeBorder, true, false, {0, 1.5f, 4, 1.5f, 1.5f, 3});
  fetch("wrap", cudaAddressModeWrap, false, true, {0.125f, 0, 1.125f, 0, -0.125f, 0, 0.5f, 1.5f});
  fetch("mirror", cudaAddressModeMirror, false, true,
        {0.125f, 0, 1.125f, 0, -0.125f, 0, 2.125f, 0});
  fetch("linear wrap", cudaAddressModeWrap, true, true, {0, 0.1666667f, 1, 0.1666667f});
  fetch("wrap needs parts", cudaAddressModeWrap, false, false, {5, 0, -1, 2});
  SAY(cudaMallocArray(&single, &channel, 4));
  SAY(cudaMemcpy2DArrayToArray(single, 0, 0, array, 0, 2, 16, 1));
  put({0.5f, 0, 1, 0, 3.5f, 0});
  const cudaTextureObject_t texture = over(single, cudaAddressModeClamp, true, false);
  line<<<1, 3>>>(texture, places, results);
  show("line", 3);
  SAY(cudaMemcpy2DFromArray(texels, 8, array, 8, 1, 8, 2, cudaMemcpyDeviceToHost));
  std::printf("back %g %g %g %g\n", texels[0], texels[1], texels[2], texels[3]);
  cudaExtent extent{};
  cudaChannelFormatDesc told{};
  unsigned flags = 9;
  SAY(cudaArrayGetInfo(&told, &extent, &flags, array));
  std::printf("%d %d %zu %zu %zu %u\n", told.x, told.f, extent.width, extent.height, extent.depth,
              flags);
  SAY(cudaMemcpy2DToArray(array, 8, 0, texels, 16, 16, 1, cudaMemcpyHostToDevice));
  cudaDestroyTextureObject(texture);
  SAY(cudaFreeArray(array));
  SAY(cudaFreeArray(single));
}

// 2 x 2 x 2 texels of 100 z + 10 y + x, as a cube and as layers.
static void depths() {
  float texels[8];
  for (int i = 0; i < 8; ++i) texels[i] = static_cast<float>(i / 4 * 100 + i / 2 % 2 * 10 + i % 2);
  const auto channel = cudaCreateChannelDesc<float>();
  for (const unsigned flags : {cudaArrayDefault, cudaArrayLayered}) {
    cudaArray_t array;
    SAY(cudaMalloc3DArray(&array, &channel, {2, 2, 2}, flags));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(texels, 8, 2, 2);
    copy.dstArray = array;
    copy.extent = {2, 2, 2};
    copy.kind = cudaMemcpyHostToDevice;
    SAY(cudaMemcpy3D(&copy));
    const cudaTextureObject_t texture = over(array, cudaAddressModeClamp, true, false);
    put({1.5f, 0.5f, 1, 1});
    if (flags == cudaArrayDefault)
      cube<<<1, 2>>>(texture, places, results);
    else
      layers<<<1, 3>>>(texture, places, results);
    show("depth", flags == cudaArrayDefault ? 2 : 3);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
  }
}

static void pixels() {
  const uchar4 texels[2] = {{1, 2, 3, 4}, {0, 51, 102, 255}};
  const auto channel = cudaCreateChannelDesc<uchar4>();
  cudaArray_t array;
  cudaMallocArray(&array, &channel, 2, 1);
  cudaMemcpy2DToArray(array, 0, 0, texels, 8, 8, 1, cudaMemcpyHostToDevice);
  const auto whole = over(array, cudaAddressModeClamp, false, false);
  bytes<<<1, 1>>>(whole, results);
  show("bytes", 4);
  const auto parts = over(array, cudaAddressModeClamp, true, false, cudaReadModeNormalizedFloat);
  shares<<<1, 1>>>(parts, results);
  show("shares", 4);
  over(array, cudaAddressModeClamp, true, false);
  cudaDestroyTextureObject(whole);
  cudaDestroyTextureObject(parts);
  cudaFreeArray(array);
}

static void memory() {
  float* values;
  std::size_t pitch = 0;
  cudaMallocPitch(&values, &pitch, 12, 2);
  const float host[6] = {0, 1, 2, 10, 11, 12};
  cudaMemcpy2D(values, pitch, host, 12, 12, 2, cudaMemcpyHostToDevice);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {values, cudaCreateChannelDesc<float>(), 12};
  cudaTextureDesc plain{};
  cudaTextureObject_t texture = 0;
  SAY(cudaCreateTextureObject(&texture, &resource, &plain, nullptr));
  indices<<<1, 5>>>(texture, -1, results);
  show("indices", 5);
  cudaDestroyTextureObject(texture);
  resource.res.linear.devPtr = values + 1;
  SAY(cudaCreateTextureObject(&texture, &resource, &plain, nullptr));
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {values, cudaCreateChannelDesc<float>(), 3, 2, pitch};
  plain.filterMode = cudaFilterModeLinear;
  SAY(cudaCreateTextureObject(&texture, &resource, &plain, nullptr));
  put({1, 1, 2.5f, 1.5f});
  rows<<<1, 2>>>(texture, places, results);
  show("pitched", 2);
  cudaDestroyTextureObject(texture);
  const short2 pairs[2] = {{1, -2}, {3, -32768}};
  cudaMemcpy(values, pairs, 8, cudaMemcpyHostToDevice);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {values, cudaCreateChannelDesc<short2>(), 8};
  plain.filterMode = cudaFilterModePoint;
  SAY(cudaCreateTextureObject(&texture, &resource, &plain, nullptr));
  shorts<<<1, 2>>>(texture, results);
  show("shorts", 2);
  cudaDestroyTextureObject(texture);
  cudaFree(values);
}

int main(int count, char**) {
  cudaMalloc(&places, 256);
  cudaMalloc(&results, 256);
  arrays();
  depths();
  pixels();
  memory();
  if (count > 1) {
    rows<<<1, 1>>>(77, places, results);
    SAY(cudaDeviceSynchronize());
  }
  cudaFree(places);
  cudaFree(results);
  return 0;
}
