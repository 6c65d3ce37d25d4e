// Device code that a program loads by itself, and functions of the driver that it asks for by name.
#include <cuda_runtime_api.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <string>

#include "simulator/runtime/session.hpp"

using namespace klab::sim::test;

namespace {

constexpr const char* source = R"(
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 total = 5;
.const .align 4 .u32 factors[2] = {7};
.visible .entry add(.param .u64 to, .param .u32 value) {
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [value];
  red.global.add.u32 [%rd1], %r1;
  ret;
}
.visible .entry nothing() { ret; }
.visible .entry stops() { trap; }
)";

cudaError_t load(cudaLibrary_t& library, const char* code) {
  return cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
}

bool said(const std::string& words) { return report().dump().find(words) != std::string::npos; }

}  // namespace

TEST_CASE("A library of PTX gives its kernels and variables until it is unloaded",
          "[simulator][runtime]") {
  const Session session;
  cudaLibrary_t library = nullptr;
  REQUIRE(load(library, source) == cudaSuccess);
  unsigned count = 0;
  CHECK(cudaLibraryGetKernelCount(&count, library) == cudaSuccess);
  CHECK(count == 3);
  cudaKernel_t add = nullptr, none = nullptr;
  REQUIRE(cudaLibraryGetKernel(&add, library, "add") == cudaSuccess);
  CHECK(cudaLibraryGetKernel(&none, library, "sub") == cudaErrorSymbolNotFound);
  std::array<cudaKernel_t, 3> all{};
  CHECK(cudaLibraryEnumerateKernels(all.data(), 3, library) == cudaSuccess);
  CHECK(std::count(all.begin(), all.end(), add) == 1);
  void* total = nullptr;
  std::size_t bytes = 0;
  REQUIRE(cudaLibraryGetGlobal(&total, &bytes, library, "total") == cudaSuccess);
  CHECK(bytes == 4);
  CHECK(cudaLibraryGetManaged(&total, &bytes, library, "total") == cudaErrorSymbolNotFound);
  unsigned value = 3;
  std::array<void*, 2> arguments{&total, &value};
  CHECK(cudaLaunchKernel(add, {1, 1, 1}, {32, 1, 1}, arguments.data(), 0, nullptr) == cudaSuccess);
  CHECK(cudaMemcpy(&value, total, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(value == 5 + 32 * 3);
  CHECK(cudaLibraryUnload(library) == cudaSuccess);
  CHECK(cudaLibraryUnload(library) == cudaErrorInvalidResourceHandle);
  CHECK(cudaLaunchKernel(add, {1, 1, 1}, {32, 1, 1}, arguments.data(), 0, nullptr) ==
        cudaErrorInvalidDeviceFunction);
}

TEST_CASE("A reset of the device gives variables and limits what they began with",
          "[simulator][runtime]") {
  const Session session;
  cudaLibrary_t library = nullptr;
  REQUIRE(load(library, source) == cudaSuccess);
  const std::array<int, 2> given{11, 12};
  const auto write = [&](const char* name, std::size_t bytes) {
    void* variable = nullptr;
    REQUIRE(cudaLibraryGetGlobal(&variable, nullptr, library, name) == cudaSuccess);
    CHECK(cudaMemcpy(variable, given.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess);
    return variable;
  };
  void *total = write("total", 4), *factors = write("factors", 8), *own = nullptr;
  REQUIRE(cudaMalloc(&own, 4) == cudaSuccess);
  constexpr cudaLimit limits[] = {cudaLimitStackSize, cudaLimitPrintfFifoSize,
                                  cudaLimitMallocHeapSize, cudaLimitPersistingL2CacheSize};
  std::array<std::size_t, 4> before{}, after{};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(cudaDeviceGetLimit(&before[i], limits[i]) == cudaSuccess);
    CHECK(cudaDeviceSetLimit(limits[i], 65'536) == cudaSuccess);
  }
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(cudaDeviceGetLimit(&after[i], limits[i]) == cudaSuccess);
  CHECK(after == before);
  std::array<int, 3> values{};
  CHECK(cudaMemcpy(&values[0], total, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(cudaMemcpy(&values[1], factors, 8, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(values == std::array<int, 3>{5, 7, 0});
  CHECK(cudaFree(own) == cudaErrorInvalidValue);
}

TEST_CASE("Behind a kernel that was stopped a reset succeeds, and the device stays away",
          "[simulator][runtime]") {
  const Session session;
  cudaLibrary_t library = nullptr;
  cudaKernel_t stops = nullptr;
  REQUIRE(load(library, source) == cudaSuccess);
  REQUIRE(cudaLibraryGetKernel(&stops, library, "stops") == cudaSuccess);
  CHECK(cudaLaunchKernel(stops, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  CHECK(cudaDeviceReset() == cudaSuccess);
  void* memory = nullptr;
  CHECK(cudaMalloc(&memory, 4) == cudaErrorDevicesUnavailable);
  CHECK(cudaGetLastError() == cudaErrorDevicesUnavailable);
  CHECK(report()["error"]["name"] == "cudaErrorLaunchFailure");
}

TEST_CASE("A library of machine code is refused with the remedy", "[simulator][runtime]") {
  const Session session;
  cudaLibrary_t library = nullptr;
  CHECK(load(library,
             "\x7f"
             "ELF") == cudaErrorNoKernelImageForDevice);
  CHECK(said("A library holds machine code"));
  CHECK(load(library, "not PTX") == cudaErrorNoKernelImageForDevice);
  CHECK(said("neither a fat binary nor PTX"));
  CHECK(library == nullptr);
}

TEST_CASE("A function of the driver is not found, and named", "[simulator][runtime]") {
  const Session session;
  int there = 0;
  void* function = &there;
  cudaDriverEntryPointQueryResult result{};
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                         cudaEnableDefault, &result) == cudaSuccess);
  CHECK(result == cudaDriverEntryPointSymbolNotFound);
  CHECK(function == nullptr);
  CHECK(said("The program asks for cuTensorMapEncodeTiled, a function of the driver"));
}
