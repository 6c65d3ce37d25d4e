// Managed memory: advice that is kept for who asks.
#include <cuda_runtime_api.h>
#include <catch2/catch_test_macros.hpp>

#include <array>

#include "simulator/runtime/session.hpp"

using namespace klab::sim::test;

namespace {

constexpr cudaMemLocation on_device{cudaMemLocationTypeDevice, 0};
constexpr cudaMemLocation on_host{cudaMemLocationTypeHost, 0};

int told(cudaMemRangeAttribute attribute, const char* at, std::size_t bytes) {
  int value = 77;
  CHECK(cudaMemRangeGetAttribute(&value, sizeof value, attribute, at, bytes) == cudaSuccess);
  return value;
}

}  // namespace

TEST_CASE("A range of managed memory tells what all of it was advised", "[simulator][runtime]") {
  const Session session;
  char* memory = nullptr;
  REQUIRE(cudaMallocManaged(reinterpret_cast<void**>(&memory), 8192, cudaMemAttachGlobal) ==
          cudaSuccess);
  CHECK(told(cudaMemRangeAttributeReadMostly, memory, 8192) == 0);
  CHECK(told(cudaMemRangeAttributePreferredLocation, memory, 8192) == cudaInvalidDeviceId);
  CHECK(cudaMemAdvise(memory, 4096, cudaMemAdviseSetReadMostly, on_device) == cudaSuccess);
  CHECK(told(cudaMemRangeAttributeReadMostly, memory, 4096) == 1);
  CHECK(told(cudaMemRangeAttributeReadMostly, memory, 8192) == 0);
  CHECK(told(cudaMemRangeAttributeReadMostly, memory + 4096, 4096) == 0);
  CHECK(cudaMemAdvise(memory, 8192, cudaMemAdviseSetPreferredLocation, on_host) == cudaSuccess);
  CHECK(told(cudaMemRangeAttributePreferredLocation, memory, 8192) == cudaCpuDeviceId);
  CHECK(told(cudaMemRangeAttributePreferredLocationType, memory, 8192) == cudaMemLocationTypeHost);
  CHECK(cudaMemPrefetchAsync(memory, 8192, on_device, 0, nullptr) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(memory + 4096, 4096, on_host, 0, nullptr) == cudaSuccess);
  CHECK(told(cudaMemRangeAttributeLastPrefetchLocation, memory, 4096) == 0);
  CHECK(told(cudaMemRangeAttributeLastPrefetchLocation, memory, 8192) == cudaInvalidDeviceId);
  CHECK(cudaMemAdvise(memory, 8192, cudaMemAdviseSetAccessedBy, on_host) == cudaSuccess);
  std::array<int, 3> by{};
  CHECK(cudaMemRangeGetAttribute(by.data(), sizeof by, cudaMemRangeAttributeAccessedBy, memory,
                                 8192) == cudaSuccess);
  CHECK(by == std::array{cudaCpuDeviceId, cudaInvalidDeviceId, cudaInvalidDeviceId});
  CHECK(cudaMemAdvise(memory, 8192, cudaMemAdviseUnsetReadMostly, on_device) == cudaSuccess);
  CHECK(told(cudaMemRangeAttributeReadMostly, memory, 4096) == 0);
  int mostly = 7, place = 7;
  void* data[] = {&mostly, &place};
  std::size_t bytes[] = {sizeof mostly, sizeof place};
  cudaMemRangeAttribute wanted[] = {cudaMemRangeAttributeReadMostly,
                                    cudaMemRangeAttributePreferredLocation};
  CHECK(cudaMemRangeGetAttributes(data, bytes, wanted, 2, memory, 8192) == cudaSuccess);
  CHECK((mostly == 0 && place == cudaCpuDeviceId));
}

TEST_CASE("Only managed memory is advised, in whole, and for a device that is there",
          "[simulator][runtime]") {
  const Session session;
  char *memory = nullptr, *device = nullptr;
  REQUIRE(cudaMallocManaged(reinterpret_cast<void**>(&memory), 64, cudaMemAttachGlobal) ==
          cudaSuccess);
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), 64) == cudaSuccess);
  int value = 0;
  CHECK(cudaMemAdvise(device, 64, cudaMemAdviseSetReadMostly, on_device) == cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(memory, 65, cudaMemAdviseSetReadMostly, on_device) == cudaErrorInvalidValue);
  CHECK(cudaMemPrefetchAsync(memory, 64, {cudaMemLocationTypeDevice, 3}, 0, nullptr) ==
        cudaErrorInvalidDevice);
  CHECK(cudaMemRangeGetAttribute(&value, 2, cudaMemRangeAttributeReadMostly, memory, 64) ==
        cudaErrorInvalidValue);
}
