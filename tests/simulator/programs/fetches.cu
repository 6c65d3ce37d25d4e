// Fetches held to the guide's formulas, worked out by the host: every addressing mode, filter and
// kind of coordinates, in one, two and three dimensions; and coordinates that are no place.
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

constexpr int width = 5, height = 4, depth = 3, places = 256;
constexpr float border = 0.5f;

__global__ void fetch(cudaTextureObject_t texture, int dimensions, const float3* at, float* out) {
  const float3 p = at[threadIdx.x];
  out[threadIdx.x] = dimensions == 1   ? tex1D<float>(texture, p.x)
                     : dimensions == 2 ? tex2D<float>(texture, p.x, p.y)
                                       : tex3D<float>(texture, p.x, p.y, p.z);
}

struct Asked {
  cudaTextureAddressMode mode;
  bool linear, normalized;
};

// The guide's addressing of a whole texel; -1: the border.
static int index_of(double i, int n, Asked asked) {
  switch (asked.mode) {
    case cudaAddressModeBorder:
      return i < 0 || i >= n ? -1 : static_cast<int>(i);
    case cudaAddressModeWrap:
      if (!asked.normalized) break;
      return static_cast<int>(i - n * std::floor(i / n));
    case cudaAddressModeMirror: {
      if (!asked.normalized) break;
      const int turn = static_cast<int>(i - 2 * n * std::floor(i / (2 * n)));
      return turn < n ? turn : 2 * n - 1 - turn;
    }
    default:
      break;
  }
  return i < 0 ? 0 : i >= n ? n - 1 : static_cast<int>(i);
}

static double texel(const std::vector<float>& texels, const double* i, const int* n, Asked asked) {
  int place[3];
  for (int axis = 0; axis < 3; ++axis) {
    place[axis] = index_of(i[axis], n[axis], asked);
    if (place[axis] < 0) return border;
  }
  return texels[(place[2] * n[1] + place[1]) * n[0] + place[0]];
}

static double expected(const std::vector<float>& texels, float3 at, const int* n, Asked asked) {
  double x[3] = {at.x, at.y, at.z}, weight[3] = {};
  for (int axis = 0; axis < 3; ++axis) {
    if (asked.normalized) x[axis] *= n[axis];
    const double shifted = asked.linear ? x[axis] - 0.5 : x[axis];
    x[axis] = std::floor(shifted);
    if (asked.linear) weight[axis] = std::nearbyint((shifted - x[axis]) * 256) / 256;
    if (n[axis] == 1) x[axis] = weight[axis] = 0;
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double share = 1, i[3];
    for (int axis = 0; axis < 3; ++axis) {
      const int far = corner >> axis & 1;
      share *= far ? weight[axis] : 1 - weight[axis];
      i[axis] = x[axis] + far;
    }
    if (share != 0) sum += share * texel(texels, i, n, asked);
  }
  return sum;
}

static cudaArray_t array_with(const std::vector<float>& texels, const int* n, int dimensions) {
  cudaArray_t array = nullptr;
  const auto channel = cudaCreateChannelDesc<float>();
  const cudaExtent extent =
      make_cudaExtent(n[0], dimensions > 1 ? n[1] : 0, dimensions > 2 ? n[2] : 0);
  cudaMalloc3DArray(&array, &channel, extent);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(texels.data()), n[0] * 4, n[0], n[1]);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(n[0], n[1], n[2]);
  copy.kind = cudaMemcpyHostToDevice;
  if (cudaMemcpy3D(&copy) != cudaSuccess) std::printf("not copied\n");
  return array;
}

static cudaTextureObject_t over(cudaArray_t array, Asked asked) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc texture{};
  for (auto& mode : texture.addressMode) mode = asked.mode;
  texture.filterMode = asked.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  texture.normalizedCoords = asked.normalized;
  for (float& part : texture.borderColor) part = border;
  cudaTextureObject_t object = 0;
  if (cudaCreateTextureObject(&object, &resource, &texture, nullptr) != cudaSuccess)
    std::printf("no texture\n");
  return object;
}

static std::mt19937 draws(7);

static float3 drawn(bool normalized) {
  // Sixteenths and halves too: whole texels, their middles and their edges.
  const auto one = [&](int n) {
    const double at = (static_cast<int>(draws() % (n * 64)) - n * 20) / 16.0 +
                      (draws() % 2 ? 0 : draws() % 1000 / 4096.0);
    return static_cast<float>(normalized ? at / n : at);
  };
  return make_float3(one(width), one(height), one(depth));
}

static int wrong(int dimensions, Asked asked, float3* at, float* out) {
  const int n[3] = {width, dimensions > 1 ? height : 1, dimensions > 2 ? depth : 1};
  std::vector<float> texels(n[0] * n[1] * n[2]);
  for (float& value : texels) value = draws() % 1000 / 8.0f;
  const cudaArray_t array = array_with(texels, n, dimensions);
  const cudaTextureObject_t texture = over(array, asked);
  std::vector<float3> host(places);
  for (float3& place : host) place = drawn(asked.normalized);
  cudaMemcpy(at, host.data(), places * sizeof(float3), cudaMemcpyHostToDevice);
  fetch<<<1, places>>>(texture, dimensions, at, out);
  std::vector<float> got(places);
  if (cudaMemcpy(got.data(), out, places * 4, cudaMemcpyDeviceToHost) != cudaSuccess)
    std::printf("not run\n");
  int count = 0;
  for (int i = 0; i < places; ++i)
    count += !(std::abs(got[i] - expected(texels, host[i], n, asked)) < 1e-4);
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
  return count;
}

// NaN is the first texel; what is infinite lies beyond an edge.
static void no_places(float3* at, float* out) {
  const float inf = std::numeric_limits<float>::infinity();
  const float3 host[4] = {{NAN, 0, 0}, {inf, 0, 0}, {-inf, 0, 0}, {3e38f, 0, 0}};
  const int n[3] = {width, 1, 1};
  const cudaArray_t array = array_with({1, 2, 3, 4, 5}, n, 1);
  cudaMemcpy(at, host, sizeof host, cudaMemcpyHostToDevice);
  for (const auto mode : {cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap})
    for (const bool linear : {false, true}) {
      float got[4];
      const bool wraps = mode == cudaAddressModeWrap;
      const cudaTextureObject_t texture = over(array, {mode, linear, wraps});
      fetch<<<1, 4>>>(texture, 1, at, out);
      const cudaError_t code = cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
      if (wraps)
        std::printf("%s%s", cudaGetErrorName(code), linear ? "\n" : " ");
      else
        std::printf("%g %g %g %g\n", got[0], got[1], got[2], got[3]);
      cudaDestroyTextureObject(texture);
    }
  cudaFreeArray(array);
}

int main() {
  float3* at;
  float* out;
  cudaMalloc(&at, places * sizeof(float3));
  cudaMalloc(&out, places * sizeof(float));
  int all = 0;
  for (int dimensions = 1; dimensions <= 3; ++dimensions)
    for (const auto mode :
         {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder})
      for (const bool linear : {false, true})
        for (const bool normalized : {false, true}) {
          const int some = wrong(dimensions, {mode, linear, normalized}, at, out);
          if (some != 0)
            std::printf("%d wrong: %d dimensions, mode %d, linear %d, normalized %d\n", some,
                        dimensions, mode, linear, normalized);
          all += some;
        }
  std::printf("%d wrong\n", all);
  no_places(at, out);
  cudaFree(at);
  cudaFree(out);
  return 0;
}
