// Memory that lies elsewhere after each draw, and looks the same.
#include "runner/memory/placement.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "runner/device/cuda_check.hpp"
#include "runner/memory/edge_memory.hpp"
#include "support/checking.hpp"

using namespace klab;
using namespace klab::runner;

TEST_CASE("a draw leaves the stack limit as it was", "[runner][placement][gpu]") {
  test::require_backend(Backend::gpu);
  std::size_t before = 0, after = 0;
  REQUIRE(cudaDeviceGetLimit(&before, cudaLimitStackSize) == cudaSuccess);
  Placement placement;
  for (std::uint64_t seed = 0; seed < 3; ++seed) placement.draw(seed);
  REQUIRE(cudaDeviceGetLimit(&after, cudaLimitStackSize) == cudaSuccess);
  CHECK(after == before);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("memory with an edge has the same addresses and the same end in other pages",
          "[runner][placement][gpu]") {
  test::require_backend(Backend::gpu);
  const std::size_t bytes = 5 * edge_alignment;
  DeviceEdge memory = make_device_edge(bytes);
  if (!memory) SKIP("this device cannot map memory by the piece");
  const std::byte* const before = memory.get();
  check_cuda(cudaMemset(memory.get(), 0x5A, bytes));
  Placement placement;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    give_pages_back(memory);
    CHECK(cudaMemset(memory.get(), 1, bytes) != cudaSuccess);
    cudaGetLastError();
    placement.draw(seed);
    take_other_pages(memory);
    CHECK(memory.get() == before);
    CHECK(cudaMemset(memory.get(), 1, bytes) == cudaSuccess);
    CHECK(cudaMemset(memory.get() + bytes, 1, 1) != cudaSuccess);
    cudaGetLastError();
  }
  std::vector<std::byte> read(bytes);
  CHECK(cudaMemcpy(read.data(), memory.get(), bytes, cudaMemcpyDefault) == cudaSuccess);
  CHECK(read == std::vector<std::byte>(bytes, std::byte{1}));
}

TEST_CASE("memory that has no edge stays where it is", "[runner][placement]") {
  DeviceEdge memory(static_cast<std::byte*>(nullptr));
  give_pages_back(memory);
  take_other_pages(memory);
  CHECK(memory == nullptr);
}
