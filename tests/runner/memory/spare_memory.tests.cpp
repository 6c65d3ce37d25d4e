// Memory that was given back goes to the next who asks for as much.
#include "runner/memory/spare_memory.hpp"

#include <cuda_runtime_api.h>

#include <catch2/catch_test_macros.hpp>
#include <cstring>

#include "runner/device/cuda_check.hpp"
#include "support/checking.hpp"

using namespace klab;
using namespace klab::runner;

TEST_CASE("memory that was given back is handed out again, to who asks for as much of its kind",
          "[runner][spare][gpu]") {
  test::require_backend(Backend::gpu);
  keep_spare_memory(true);
  for (const SpareKind kind : {SpareKind::device, SpareKind::pinned})
    for (const std::size_t bytes : {std::size_t{100}, std::size_t{5'000'000}}) {
      INFO(bytes);
      const std::byte* const first = take_memory(bytes, kind).get();
      const SpareBuffer again = take_memory(bytes, kind);
      CHECK(again.get() == first);
      CHECK(take_memory(bytes, kind).get() != first);  // somebody has it
      CHECK(cudaMemset(again.get(), 1, bytes) == cudaSuccess);
    }
  const std::byte* const large = take_memory(20'000'000).get();
  CHECK(take_memory(100).get() != large);
  keep_spare_memory(false);
}

TEST_CASE("page-locked memory is what the device sees at the same address, however it came to be",
          "[runner][spare][gpu]") {
  test::require_backend(Backend::gpu);
  constexpr std::size_t bytes = 5'000'000;
  for (const bool keeps : {true, false}) {
    INFO(keeps);
    keep_spare_memory(keeps);
    const SpareBuffer memory = take_memory(bytes, SpareKind::pinned);
    cudaPointerAttributes about{};
    REQUIRE(cudaPointerGetAttributes(&about, memory.get()) == cudaSuccess);
    CHECK(about.type == cudaMemoryTypeHost);
    CHECK(about.devicePointer == memory.get());
    std::memset(memory.get(), 1, bytes);
  }
  keep_spare_memory(false);
}
