// What the report counts of calls, beyond their number.
#include <cuda_runtime_api.h>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "simulator/runtime/session.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

TEST_CASE("Copies within the device and fills count the sectors of each row",
          "[simulator][runtime]") {
  const Session session;
  std::byte* device = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), 1 << 16) == cudaSuccess);
  std::uint64_t before = 0;
  const auto more = [&] {
    const auto now = report()["host"]["sectors_beside_kernels"].get<std::uint64_t>();
    return now - std::exchange(before, now);
  };
  CHECK(cudaMemcpy(device + 32768, device, 4096, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(more() == 2 * 128);
  // A column of words into a column, and into a row.
  CHECK(cudaMemcpy2D(device + 32768, 256, device, 256, 4, 100, cudaMemcpyDeviceToDevice) ==
        cudaSuccess);
  CHECK(more() == 2 * 100);
  CHECK(cudaMemcpy2D(device + 32768, 4, device, 256, 4, 64, cudaMemcpyDeviceToDevice) ==
        cudaSuccess);
  CHECK(more() == 64 + 8);
  // Rows of 32 bytes at 48: every other one lies across two sectors.
  CHECK(cudaMemset2D(device, 48, 0, 32, 70) == cudaSuccess);
  CHECK(more() == 35 + 2 * 35);
  cudaMemcpy3DParms box{};
  box.srcPtr = box.dstPtr = {device, 64, 4, 16};
  box.dstPtr.ptr = device + 32768;
  box.extent = {4, 16, 8};
  box.kind = cudaMemcpyDeviceToDevice;
  CHECK(cudaMemcpy3D(&box) == cudaSuccess);
  CHECK(more() == 2 * 16 * 8);
  CHECK(cudaFree(device) == cudaSuccess);
}

TEST_CASE("Making, emptying and destroying a pool count as calls that may wait",
          "[simulator][runtime]") {
  const Session session;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
  CHECK(cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
  CHECK(report()["host"]["allocation_calls"] == 1);
  CHECK(report()["host"]["free_calls"] == 2);
  CHECK(report()["host"]["kept_allocations"] == 0);
}

TEST_CASE("Locking the host's pages and unlocking them count as calls that may wait",
          "[simulator][runtime]") {
  const Session session;
  alignas(4096) static std::byte page[4096];
  for (int step = 0; step < 3; ++step) {
    CHECK(cudaHostRegister(page, sizeof page, cudaHostRegisterDefault) == cudaSuccess);
    CHECK(cudaHostUnregister(page) == cudaSuccess);
  }
  CHECK(report()["host"]["allocation_calls"] == 3);
  CHECK(report()["host"]["free_calls"] == 3);
  CHECK(report()["host"]["kept_allocations"] == 0);
}
