// What is noticed of work at sizes beyond this machine's memory.
#include "simulator/runtime/state/left_out.hpp"

#include <cuda_runtime_api.h>
#include <catch2/catch_test_macros.hpp>

#include "simulator/runtime/session.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

TEST_CASE("a copy as long as the last 32 bits of an array's size is cut short, any other is not",
          "[sim][part]") {
  constexpr std::uint64_t base = 0x1000, bytes = (std::uint64_t{3} << 32) + 400;
  Allocations allocations;
  allocations.add(base, {.bytes = bytes});
  const auto noticed = [&](std::uint64_t address, std::uint64_t of_copy) {
    LeftOut left_out;
    left_out.notice_cut_short(allocations, reinterpret_cast<const void*>(address), of_copy);
    return left_out.cut_short > 0;
  };
  CHECK(noticed(base, 400));
  CHECK_FALSE(noticed(base, bytes));
  CHECK_FALSE(noticed(base, 404));
  CHECK_FALSE(noticed(base + 400, 400));
  allocations.add(2 * bytes, {.bytes = 400});  // all of a small one
  CHECK_FALSE(noticed(2 * bytes, 400));
}

TEST_CASE("where a part is run, the report says where copies that were left out would have written",
          "[sim][part]") {
  const Session session(
      R"({"deferred": true, "blocks_in_part": 4, "memory_limit_bytes": 1000000000})");
  constexpr std::size_t piece = std::size_t{100} << 20;
  std::byte* memory = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&memory), 4 * piece) == cudaSuccess);
  klab_sim_begin();
  for (const std::size_t to : {0, 2})
    REQUIRE(cudaMemcpy(memory + to * piece, memory + piece, piece, cudaMemcpyDeviceToDevice) ==
            cudaSuccess);
  REQUIRE(cudaMemset(memory + 3 * piece, 0, 16) == cudaSuccess);  // small: it is made
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto at = [&](std::size_t pieces) {
    return reinterpret_cast<std::uint64_t>(memory + pieces * piece);
  };
  CHECK(report()["part"]["copied_to"] == nlohmann::json::array({{at(0), at(1)}, {at(2), at(3)}}));
  cudaFree(memory);
}

TEST_CASE("where a part is run, a strided copy or fill is left out by what it spans",
          "[sim][part]") {
  const Session session(R"({"deferred": true, "blocks_in_part": 4})");
  constexpr std::size_t pitch = 64 << 10, rows = 1536, element = 4;
  std::byte* memory = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&memory), 2 * pitch * rows) == cudaSuccess);
  const auto left_out = [&](std::size_t height) {
    klab_sim_begin();
    REQUIRE(cudaMemcpy2D(memory, element, memory + pitch * rows, pitch, element, height,
                         cudaMemcpyDeviceToDevice) == cudaSuccess);
    REQUIRE(cudaMemset2D(memory, pitch, 0, element, height) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    return report()["part"]["copies"].get<int>();
  };
  CHECK(left_out(8) == 0);
  CHECK(left_out(rows) == 2);
  CHECK(cudaFree(memory) == cudaSuccess);
}
