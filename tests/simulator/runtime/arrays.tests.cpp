// Arrays, textures and surfaces as the runtime's functions take and refuse them.
#include <cuda_runtime_api.h>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "simulator/api/simulator_api.h"
#include "simulator/runtime/session.hpp"

using namespace klab::sim::test;

namespace {

constexpr cudaChannelFormatDesc floats{32, 0, 0, 0, cudaChannelFormatKindFloat};
constexpr cudaChannelFormatDesc whole{32, 0, 0, 0, cudaChannelFormatKindSigned};

cudaArray_t array_of(const cudaChannelFormatDesc& channel, unsigned flags = 0) {
  cudaArray_t array = nullptr;
  REQUIRE(cudaMallocArray(&array, &channel, 8, 4, flags) == cudaSuccess);
  return array;
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

unsigned long long living_objects() {
  long long allocations = 0;
  unsigned long long objects = 0;
  klab_sim_living(&allocations, &objects);
  return objects;
}

}  // namespace

TEST_CASE("A texture and a surface are objects that live until they are destroyed, each as its own",
          "[simulator][runtime]") {
  const Session session;
  const unsigned long long before = living_objects();
  const cudaArray_t array = array_of(floats, cudaArraySurfaceLoadStore);
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc asked{}, told{};
  asked.borderColor[2] = 3;
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &asked, nullptr) == cudaSuccess);
  REQUIRE(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
  CHECK(living_objects() == before + 2);
  cudaResourceDesc of{};
  CHECK(cudaGetTextureObjectResourceDesc(&of, texture) == cudaSuccess);
  CHECK(of.res.array.array == array);
  CHECK(cudaGetTextureObjectTextureDesc(&told, texture) == cudaSuccess);
  CHECK(told.borderColor[2] == 3);
  CHECK(cudaGetTextureObjectTextureDesc(&told, surface) == cudaErrorInvalidValue);
  CHECK(cudaGetSurfaceObjectResourceDesc(&of, texture) == cudaErrorInvalidValue);
  CHECK(cudaDestroySurfaceObject(texture) == cudaErrorInvalidValue);
  CHECK(cudaDestroyTextureObject(surface) == cudaErrorInvalidValue);
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(texture) == cudaErrorInvalidValue);
  CHECK(living_objects() == before);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE("Textures that are refused say what stands in for them", "[simulator][runtime]") {
  const Session session;
  const cudaArray_t array = array_of(floats);
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc plain{}, srgb{};
  srgb.sRGB = 1;
  cudaResourceViewDesc view{};
  view.format = cudaResViewFormatUnsignedInt1;
  cudaResourceDesc levels{};
  levels.resType = cudaResourceTypeMipmappedArray;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &srgb, nullptr) == cudaErrorNotSupported);
  CHECK(cudaCreateTextureObject(&texture, &resource, &plain, &view) == cudaErrorNotSupported);
  CHECK(cudaCreateTextureObject(&texture, &levels, &plain, nullptr) == cudaErrorNotSupported);
  cudaArray_t cubes = nullptr;
  CHECK(cudaMalloc3DArray(&cubes, &floats, {8, 8, 6}, cudaArrayCubemap) == cudaErrorNotSupported);
  const std::string said = report()["unsupported"].dump();
  for (const char* remedy :
       {"convert in the kernel what a fetch gives", "Make the array in that format",
        "Make an array and a texture of each level", "Make a layered array of the faces"}) {
    CAPTURE(remedy, said);
    CHECK(said.find(remedy) != std::string::npos);
  }
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE("A handle of a freed array names no later array", "[simulator][runtime]") {
  const Session session;
  const cudaArray_t freed = array_of(floats);
  REQUIRE(cudaFreeArray(freed) == cudaSuccess);
  std::vector<cudaArray_t> later;
  for (int i = 0; i < 8; ++i) later.push_back(array_of(floats));
  cudaChannelFormatDesc told{};
  CHECK(cudaGetChannelDesc(&told, freed) == cudaErrorInvalidValue);
  CHECK(cudaFreeArray(freed) == cudaErrorInvalidValue);
  for (const cudaArray_t array : later) CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE(
    "Integers of 32 bits are never read as parts of their largest, and choices that do not "
    "exist are refused",
    "[simulator][runtime]") {
  const Session session;
  const cudaArray_t array = array_of(whole);
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc asked{};
  cudaTextureObject_t texture = 0;
  asked.readMode = cudaReadModeNormalizedFloat;
  CHECK(cudaCreateTextureObject(&texture, &resource, &asked, nullptr) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  asked.filterMode = cudaFilterModeLinear;
  CHECK(cudaCreateTextureObject(&texture, &resource, &asked, nullptr) ==
        cudaErrorInvalidFilterSetting);
  asked = {};
  asked.filterMode = static_cast<cudaTextureFilterMode>(7);
  CHECK(cudaCreateTextureObject(&texture, &resource, &asked, nullptr) == cudaErrorInvalidValue);
  asked = {};
  asked.addressMode[1] = static_cast<cudaTextureAddressMode>(-3);
  CHECK(cudaCreateTextureObject(&texture, &resource, &asked, nullptr) == cudaErrorInvalidValue);
  asked = {};
  cudaResourceDesc unknown = resource;
  unknown.resType = static_cast<cudaResourceType>(99);
  CHECK(cudaCreateTextureObject(&texture, &unknown, &asked, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE("Linear and pitched memory is a texture as far as hardware goes",
          "[simulator][runtime]") {
  const Session session;
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4096) == cudaSuccess);
  std::size_t most = 0;
  CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&most, &floats, 0) == cudaSuccess);
  CHECK(most == std::size_t{1} << 28);
  const cudaTextureDesc asked{};
  cudaTextureObject_t texture = 0;
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {memory, floats, (most + 1) * 4};
  CHECK(cudaCreateTextureObject(&texture, &resource, &asked, nullptr) == cudaErrorInvalidValue);
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {memory, floats, 8, 65'001, 32};
  CHECK(cudaCreateTextureObject(&texture, &resource, &asked, nullptr) == cudaErrorInvalidValue);
  resource.res.pitch2D = {memory, floats, 8, 4, 48};
  CHECK(cudaCreateTextureObject(&texture, &resource, &asked, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("A copy names one source and one destination, and what leaves an array is not copied",
          "[simulator][runtime]") {
  const Session session;
  const cudaArray_t array = array_of(floats);
  std::array<float, 32> host{};
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, host.data(), 32, 32, 4, cudaMemcpyHostToDevice) ==
        cudaSuccess);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, host.data(), 16, 32, 4, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2DToArray(array, 2, 0, host.data(), 32, 8, 1, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DToArray(array, 4, 0, host.data(), 32, 32, 4, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DToArray(array, 0, 1, host.data(), 32, 32, 4, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  std::array<float, 4> back{};
  CHECK(cudaMemcpy2DFromArray(back.data(), 8, array, 24, 2, 8, 2, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  CHECK(back == std::array<float, 4>{22, 23, 30, 31});
  cudaMemcpy3DParms both{};
  both.srcArray = array;
  both.srcPtr = {host.data(), 32, 8, 4};
  both.dstPtr = {back.data(), 8, 2, 2};
  both.extent = {2, 2, 1};
  both.kind = cudaMemcpyDefault;
  CHECK(cudaMemcpy3D(&both) == cudaErrorInvalidValue);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

// Arguments drawn among sound ones, edges and nonsense: whatever comes, an answer comes.
TEST_CASE("No argument of an array's, a texture's or a surface's call ends the process",
          "[simulator][runtime][robust]") {
  const Session session;
  std::mt19937_64 draws(20);
  const cudaArray_t array = array_of(floats, cudaArraySurfaceLoadStore);
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4096) == cudaSuccess);
  std::vector<std::byte> host(4096);
  const auto size = [&] {
    constexpr std::size_t edges[] = {0, 1, 2, 4, 8, 16, 32, 33, 131'072, std::size_t{1} << 40};
    const std::size_t drawn = draws() % 12;
    return drawn < 10 ? edges[drawn] : std::numeric_limits<std::size_t>::max() - draws() % 40;
  };
  const auto some_array = [&]() -> cudaArray_t {
    return draws() % 4 != 0 ? array : reinterpret_cast<cudaArray_t>(draws() % 3 * 0x1234'5671);
  };
  const auto pointer = [&]() -> void* { return draws() % 8 == 0 ? nullptr : memory; };
  const auto kind = [&] { return static_cast<cudaMemcpyKind>(draws() % 7); };
  const auto channel = [&]() -> cudaChannelFormatDesc {
    constexpr int bits[] = {0, 8, 16, 32, -8, 7, 64};
    const auto one = [&] { return bits[draws() % 7]; };
    return {one(), one(), one(), one(), static_cast<cudaChannelFormatKind>(draws() % 9)};
  };
  for (int turn = 0; turn < 20'000; ++turn) {
    cudaMemcpy3DParms copy{};
    copy.srcArray = draws() % 2 ? some_array() : nullptr;
    copy.dstArray = draws() % 2 ? some_array() : nullptr;
    copy.srcPtr = {draws() % 2 ? pointer() : nullptr, size(), size(), size()};
    copy.dstPtr = {draws() % 2 ? pointer() : nullptr, size(), size(), size()};
    copy.srcPos = {size(), size(), size()};
    copy.dstPos = {size(), size(), size()};
    copy.extent = {size(), size(), size()};
    copy.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3D(&copy);
    cudaMemcpy2DToArray(some_array(), size(), size(), pointer(), size(), size(), size(), kind());
    cudaMemcpy2DFromArray(pointer(), size(), some_array(), size(), size(), size(), size(),
                          cudaMemcpyDeviceToDevice);
    cudaMemcpy2DArrayToArray(some_array(), size(), size(), some_array(), size(), size(), size(),
                             size(), kind());
    cudaResourceDesc resource = resource_of(some_array());
    const auto type = draws() % 6;
    resource.resType = static_cast<cudaResourceType>(type);
    if (type == cudaResourceTypeLinear) resource.res.linear = {pointer(), channel(), size()};
    if (type == cudaResourceTypePitch2D)
      resource.res.pitch2D = {pointer(), channel(), size(), size(), size()};
    cudaTextureDesc asked{};
    asked.readMode = static_cast<cudaTextureReadMode>(draws() % 3);
    asked.filterMode = static_cast<cudaTextureFilterMode>(draws() % 3);
    cudaTextureObject_t texture = draws();
    if (cudaCreateTextureObject(&texture, &resource, &asked, nullptr) == cudaSuccess) {
      CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
    }
    cudaDestroySurfaceObject(draws());
    cudaCreateTextureObject(nullptr, &resource, &asked, nullptr);
    cudaCreateSurfaceObject(nullptr, nullptr);
    cudaArray_t made = nullptr;
    const cudaChannelFormatDesc format = channel();
    if (cudaMalloc3DArray(&made, &format, {size(), size(), size()},
                          static_cast<unsigned>(draws() % 256)) == cudaSuccess) {
      CHECK(cudaFreeArray(made) == cudaSuccess);
    }
    cudaFreeArray(reinterpret_cast<cudaArray_t>(draws()));
  }
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
}
