// What a launch set for itself and the next one does not inherit.
#include "runner/problem/device_state.hpp"

#include <catch2/catch_test_macros.hpp>

#include "runner/device/cuda_handles.hpp"
#include "support/checking.hpp"

using namespace klab;
using namespace klab::runner;

namespace {

std::size_t limit(cudaLimit which) {
  std::size_t value = 0;
  REQUIRE(cudaDeviceGetLimit(&value, which) == cudaSuccess);
  return value;
}

}  // namespace

TEST_CASE("limits are as they were at first, but a stack that was raised stays",
          "[runner][device-state][gpu]") {
  test::require_backend(Backend::gpu);
  const Stream stream = make_stream(cudaStreamDefault);
  restore_device_state(0, stream.get());
  const std::size_t stack = limit(cudaLimitStackSize), heap = limit(cudaLimitMallocHeapSize);
  REQUIRE(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 * heap) == cudaSuccess);
  REQUIRE(cudaDeviceSetLimit(cudaLimitStackSize, 2 * stack) == cudaSuccess);
  restore_device_state(0, stream.get());
  CHECK(limit(cudaLimitMallocHeapSize) == heap);
  CHECK(limit(cudaLimitStackSize) == 2 * stack);

  REQUIRE(cudaDeviceSetLimit(cudaLimitStackSize, stack / 2) == cudaSuccess);
  restore_device_state(0, stream.get());
  CHECK(limit(cudaLimitStackSize) == stack);
}
