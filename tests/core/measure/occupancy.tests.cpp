// The occupancy calculator against NVIDIA's cuda_occupancy.h and against known sm_90 answers.
#include "core/measure/occupancy.hpp"

#include <climits>
#include <string>
#include <vector>

#include <cuda_occupancy.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace klab;

namespace {

cudaOccDeviceProp properties_of(const MultiprocessorLimits& limits) {
  cudaOccDeviceProp properties;
  properties.computeMajor = limits.compute_capability.major_version();
  properties.computeMinor = limits.compute_capability.minor_version();
  properties.maxThreadsPerBlock = most_threads_per_block;
  properties.maxThreadsPerMultiprocessor = limits.warps * warp_threads;
  properties.regsPerBlock = registers_per_multiprocessor;
  properties.regsPerMultiprocessor = registers_per_multiprocessor;
  properties.warpSize = warp_threads;
  properties.sharedMemPerBlock = 48 * 1024;
  properties.sharedMemPerMultiprocessor = static_cast<std::size_t>(limits.shared_bytes);
  properties.numSms = 1;
  properties.sharedMemPerBlockOptin = static_cast<std::size_t>(limits.shared_per_block_bytes);
  properties.reservedSharedMemPerBlock = static_cast<std::size_t>(limits.shared_reserved_bytes);
  return properties;
}

/// NVIDIA's answer in our terms.
Occupancy reference(const MultiprocessorLimits& limits, const OccupancyInput& input) {
  const auto properties = properties_of(limits);
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = INT_MAX;
  attributes.numRegs = input.registers_per_thread;
  attributes.sharedSizeBytes = static_cast<std::size_t>(input.static_shared_bytes);
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = static_cast<std::size_t>(input.dynamic_shared_bytes);
  attributes.numBlockBarriers = input.barriers;
  const cudaOccDeviceState state;
  cudaOccResult found;
  const auto error = cudaOccMaxActiveBlocksPerMultiprocessor(
      &found, &properties, &attributes, &state, input.block_threads,
      static_cast<std::size_t>(input.dynamic_shared_bytes));
  REQUIRE(error == CUDA_OCC_SUCCESS);
  const auto limit = [](int blocks) {
    return blocks == INT_MAX ? std::optional<int>{} : std::optional<int>{blocks};
  };
  Occupancy result;
  result.active_blocks = found.activeBlocksPerMultiprocessor;
  result.allowed.warps = found.blockLimitWarps;
  result.allowed.blocks = found.blockLimitBlocks;
  result.allowed.registers = limit(found.blockLimitRegs);
  result.allowed.shared_memory = limit(found.blockLimitSharedMem);
  result.allowed.barriers = limit(found.blockLimitBarriers);
  result.registers_per_block = found.allocatedRegistersPerBlock;
  result.shared_per_block_bytes = static_cast<std::int64_t>(found.allocatedSharedMemPerBlock);
  const std::pair<unsigned, OccupancyLimit> factors[] = {
      {OCC_LIMIT_WARPS, OccupancyLimit::warps},
      {OCC_LIMIT_REGISTERS, OccupancyLimit::registers},
      {OCC_LIMIT_SHARED_MEMORY, OccupancyLimit::shared_memory},
      {OCC_LIMIT_BLOCKS, OccupancyLimit::blocks},
      {OCC_LIMIT_BARRIERS, OccupancyLimit::barriers}};
  for (const auto& [bit, factor] : factors) {
    if (found.limitingFactors & bit) result.limiters.push_back(factor);
  }
  return result;
}

bool same(const Occupancy& ours, const Occupancy& theirs) {
  // Where barriers lower the result further, their header keeps the earlier limiters as well.
  const bool by_barriers_alone = ours.limiters == std::vector{OccupancyLimit::barriers};
  return ours.active_blocks == theirs.active_blocks && ours.allowed.warps == theirs.allowed.warps &&
         ours.allowed.blocks == theirs.allowed.blocks &&
         ours.allowed.registers == theirs.allowed.registers &&
         ours.allowed.shared_memory == theirs.allowed.shared_memory &&
         ours.allowed.barriers == theirs.allowed.barriers &&
         ours.registers_per_block == theirs.registers_per_block &&
         ours.shared_per_block_bytes == theirs.shared_per_block_bytes &&
         (by_barriers_alone ? theirs.limiters.back() == OccupancyLimit::barriers
                            : ours.limiters == theirs.limiters);
}

std::string describe(const OccupancyInput& input) {
  return "capability " + to_string(input.compute_capability) + ", " +
         std::to_string(input.block_threads) + " threads, " +
         std::to_string(input.registers_per_thread) + " registers, shared " +
         std::to_string(input.static_shared_bytes) + " + " +
         std::to_string(input.dynamic_shared_bytes) + ", " + std::to_string(input.barriers) +
         " barriers";
}

OccupancyInput sm_90(int threads, int registers, std::int64_t dynamic_shared_bytes = 0) {
  OccupancyInput input;
  input.block_threads = threads;
  input.registers_per_thread = registers;
  input.dynamic_shared_bytes = dynamic_shared_bytes;
  return input;
}

}  // namespace

TEST_CASE("the calculator agrees with cuda_occupancy.h on every capability",
          "[core][occupancy][whole]") {
  int compared = 0;
  std::vector<std::string> differing;
  for (const auto& limits : multiprocessor_limits()) {
    OccupancyInput input;
    input.compute_capability = limits.compute_capability;
    for (int threads = 1; threads <= most_threads_per_block; threads += threads % 96 ? 31 : 1) {
      for (int registers = 0; registers <= most_registers_per_thread; registers += 5) {
        for (const std::int64_t fixed : {0, 1, 4096, 16385, 49152}) {
          for (const std::int64_t dynamic :
               {std::int64_t{0}, std::int64_t{1}, std::int64_t{1023}, std::int64_t{33000},
                limits.shared_per_block_bytes / 2, limits.shared_per_block_bytes - fixed,
                limits.shared_per_block_bytes - fixed + 1}) {
            for (const int barriers : {0, 1, 3, 16}) {
              input.block_threads = threads;
              input.registers_per_thread = registers;
              input.static_shared_bytes = fixed;
              input.dynamic_shared_bytes = dynamic;
              input.barriers = barriers;
              ++compared;
              if (!same(*occupancy(input), reference(limits, input)) && differing.size() < 5) {
                differing.push_back(describe(input));
              }
            }
          }
        }
      }
    }
  }
  CHECK(compared > 1'000'000);
  CHECK(differing == std::vector<std::string>{});
}

TEST_CASE("the table's shared memory is the largest that cuda_occupancy.h accepts",
          "[core][occupancy]") {
  for (const auto& limits : multiprocessor_limits()) {
    INFO(to_string(limits.compute_capability));
    const auto properties = properties_of(limits);
    auto bytes = static_cast<std::size_t>(limits.shared_bytes);
    CHECK(cudaOccAlignUpShmemSizeVoltaPlus(&bytes, &properties) == CUDA_OCC_SUCCESS);
    CHECK(bytes == static_cast<std::size_t>(limits.shared_bytes));
    ++bytes;
    CHECK(cudaOccAlignUpShmemSizeVoltaPlus(&bytes, &properties) != CUDA_OCC_SUCCESS);
  }
}

TEST_CASE("registers lower the occupancy of sm_90 in the known steps", "[core][occupancy]") {
  const auto [registers, percent] =
      GENERATE(table<int, double>({{32, 100}, {33, 75}, {64, 50}, {128, 25}, {255, 12.5}}));
  const auto found = occupancy(sm_90(256, registers));
  REQUIRE(found);
  INFO(registers << " registers");
  CHECK(found->percent == percent);
  CHECK(found->active_warps == percent / 100 * 64);
  const bool by_registers = registers > 32;
  CHECK((found->limiters == std::vector{OccupancyLimit::registers}) == by_registers);
}

TEST_CASE("blocks of one warp fill half of sm_90, limited by the number of blocks",
          "[core][occupancy]") {
  const auto found = occupancy(sm_90(32, 16));
  CHECK(found->percent == 50);
  CHECK(found->active_blocks == 32);
  CHECK(found->limiters == std::vector{OccupancyLimit::blocks});
}

TEST_CASE("48 KiB of dynamic shared memory leave room for four blocks of sm_90",
          "[core][occupancy]") {
  const auto found = occupancy(sm_90(256, 32, 48 * 1024));
  CHECK(found->active_blocks == 4);
  CHECK(found->limiters == std::vector{OccupancyLimit::shared_memory});
}

TEST_CASE("a block that cannot run has no active blocks and a limiter that says why",
          "[core][occupancy]") {
  const auto registers = occupancy(sm_90(1024, 255));
  CHECK(registers->active_blocks == 0);
  CHECK(registers->percent == 0);
  CHECK(registers->limiters == std::vector{OccupancyLimit::registers});
  const auto shared = occupancy(sm_90(256, 32, 227 * 1024 + 1));
  CHECK(shared->active_blocks == 0);
  CHECK(shared->limiters == std::vector{OccupancyLimit::shared_memory});
}

TEST_CASE("clusters are bounded by the blocks of the whole device", "[core][occupancy]") {
  auto input = sm_90(256, 64);
  input.cluster_blocks = 8;
  CHECK_FALSE(occupancy(input)->clusters_at_most);
  input.multiprocessors = 132;
  CHECK(occupancy(input)->clusters_at_most == 4 * 132 / 8);
}

TEST_CASE("values that no launch can have are errors with a remedy", "[core][occupancy]") {
  const auto refused = [](auto change) {
    OccupancyInput input;
    change(input);
    const auto found = occupancy(input);
    return !found && found.error().code == ErrorCode::usage && !found.error().remedy.empty();
  };
  CHECK(refused([](auto& in) { in.compute_capability = {6, 0}; }));
  CHECK(refused([](auto& in) { in.compute_capability = {13, 0}; }));
  CHECK(refused([](auto& in) { in.block_threads = 0; }));
  CHECK(refused([](auto& in) { in.block_threads = 1025; }));
  CHECK(refused([](auto& in) { in.registers_per_thread = -1; }));
  CHECK(refused([](auto& in) { in.registers_per_thread = 256; }));
  CHECK(refused([](auto& in) { in.dynamic_shared_bytes = -1; }));
  CHECK(refused([](auto& in) { in.static_shared_bytes = INT64_MAX; }));
  CHECK(refused([](auto& in) { in.barriers = 17; }));
  CHECK(refused([](auto& in) { in.cluster_blocks = 0; }));
  CHECK(refused([](auto& in) { in.cluster_blocks = 17; }));
  CHECK(refused([](auto& in) {
    in.compute_capability = {8, 9};
    in.cluster_blocks = 2;
  }));
  CHECK_FALSE(refused([](auto&) {}));
}
