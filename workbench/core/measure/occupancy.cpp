// Occupancy: blocks per multiprocessor by each resource, from the table of compute capabilities.
#include "core/measure/occupancy.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/measure/format.hpp"

namespace klab {
namespace {

constexpr std::int64_t kib = 1024;

// Capability, warps, blocks, shared memory of the multiprocessor and of a block with opt-in,
// reserved per block, unit of allocation, barriers, largest cluster.
constexpr std::array<MultiprocessorLimits, 12> limits_table = {{
    {{7, 5}, 32, 16, 64 * kib, 64 * kib, 0, 256, 0, 0},
    {{8, 0}, 64, 32, 164 * kib, 163 * kib, kib, 128, 0, 0},
    {{8, 6}, 48, 16, 100 * kib, 99 * kib, kib, 128, 0, 0},
    {{8, 7}, 48, 16, 164 * kib, 163 * kib, kib, 128, 0, 0},
    {{8, 9}, 48, 24, 100 * kib, 99 * kib, kib, 128, 0, 0},
    {{9, 0}, 64, 32, 228 * kib, 227 * kib, kib, 128, 64, 16},
    {{10, 0}, 64, 32, 228 * kib, 227 * kib, kib, 128, 64, 16},
    {{10, 1}, 48, 24, 228 * kib, 227 * kib, kib, 128, 24, 8},
    {{10, 3}, 64, 32, 228 * kib, 227 * kib, kib, 128, 64, 8},
    {{11, 0}, 48, 24, 228 * kib, 227 * kib, kib, 128, 24, 8},
    {{12, 0}, 48, 24, 100 * kib, 99 * kib, kib, 128, 24, 8},
    {{12, 1}, 48, 24, 100 * kib, 99 * kib, kib, 128, 24, 8},
}};

/// Registers are given to warps in units of 256, from the file of one of four sub-partitions.
constexpr int register_unit = 256;
constexpr int sub_partitions = 4;

template <class Integer>
constexpr Integer round_up(Integer value, Integer unit) {
  return (value + unit - 1) / unit * unit;
}

int warps_of(int threads) { return round_up(threads, warp_threads) / warp_threads; }

int registers_per_warp(int registers_per_thread) {
  return round_up(registers_per_thread * warp_threads, register_unit);
}

std::optional<int> blocks_by_registers(const OccupancyInput& input) {
  const int per_warp = registers_per_warp(input.registers_per_thread);
  if (per_warp == 0) return std::nullopt;
  const int warps_held = registers_per_multiprocessor / sub_partitions / per_warp * sub_partitions;
  return warps_held / warps_of(input.block_threads);
}

std::int64_t shared_as_allocated(const MultiprocessorLimits& limits, const OccupancyInput& input) {
  return round_up(
      input.static_shared_bytes + input.dynamic_shared_bytes + limits.shared_reserved_bytes,
      limits.shared_unit_bytes);
}

std::optional<int> blocks_by_shared_memory(const MultiprocessorLimits& limits,
                                           const OccupancyInput& input) {
  if (input.static_shared_bytes + input.dynamic_shared_bytes > limits.shared_per_block_bytes) {
    return 0;
  }
  const std::int64_t allocated = shared_as_allocated(limits, input);
  if (allocated == 0) return std::nullopt;
  return static_cast<int>(limits.shared_bytes / allocated);
}

std::string known_capabilities() {
  std::vector<std::string> names;
  for (const auto& limits : limits_table) names.push_back(to_string(limits.compute_capability));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The sentence that tells what no launch can have; empty if all is possible.
std::string problem(const OccupancyInput& input, const MultiprocessorLimits& limits) {
  if (input.block_threads < 1 || input.block_threads > most_threads_per_block) {
    return fmt::format("A block has 1 to {} threads, not {}.", most_threads_per_block,
                       input.block_threads);
  }
  if (input.registers_per_thread < 0 || input.registers_per_thread > most_registers_per_thread) {
    return fmt::format("A thread has up to {} registers, not {}.", most_registers_per_thread,
                       input.registers_per_thread);
  }
  constexpr std::int64_t absurd_bytes = std::int64_t{1} << 40;
  if (input.static_shared_bytes < 0 || input.dynamic_shared_bytes < 0 ||
      input.static_shared_bytes > absurd_bytes || input.dynamic_shared_bytes > absurd_bytes) {
    return "Shared memory is a number of bytes, 0 or more.";
  }
  if (input.barriers < 0 || input.barriers > 16) return "A block has 0 to 16 named barriers.";
  if (input.cluster_blocks && limits.largest_cluster == 0) {
    return "Clusters need compute capability 9.0 or later.";
  }
  if (input.cluster_blocks &&
      (*input.cluster_blocks < 1 || *input.cluster_blocks > limits.largest_cluster)) {
    return fmt::format("A cluster has 1 to {} blocks here, not {}.", limits.largest_cluster,
                       *input.cluster_blocks);
  }
  return {};
}

}  // namespace

std::span<const MultiprocessorLimits> multiprocessor_limits() { return limits_table; }

const MultiprocessorLimits* find_multiprocessor_limits(ComputeCapability capability) {
  const auto found = std::find_if(
      limits_table.begin(), limits_table.end(),
      [&](const MultiprocessorLimits& limits) { return limits.compute_capability == capability; });
  return found == limits_table.end() ? nullptr : &*found;
}

std::string_view to_string(OccupancyLimit limit) {
  switch (limit) {
    case OccupancyLimit::warps:
      return "warps";
    case OccupancyLimit::registers:
      return "registers";
    case OccupancyLimit::shared_memory:
      return "shared memory";
    case OccupancyLimit::blocks:
      return "blocks";
    case OccupancyLimit::barriers:
      return "barriers";
  }
  return "";
}

std::string limiters_text(const Occupancy& occupancy) {
  std::string text;
  for (const OccupancyLimit limit : occupancy.limiters)
    text += (text.empty() ? "" : ", ") + std::string(to_string(limit));
  return text;
}

Result<Occupancy> occupancy(const OccupancyInput& input) {
  const auto* limits = find_multiprocessor_limits(input.compute_capability);
  if (limits == nullptr) {
    return make_error(ErrorCode::usage,
                      fmt::format("Compute capability {} is not known here.",
                                  to_string(input.compute_capability)),
                      fmt::format("Choose one of {}.", known_capabilities()));
  }
  if (auto what = problem(input, *limits); !what.empty()) {
    return make_error(ErrorCode::usage, std::move(what), "Give a value within that range.");
  }

  const int warps = warps_of(input.block_threads);
  Occupancy result;
  result.most_warps = limits->warps;
  result.registers_per_block = std::int64_t{registers_per_warp(input.registers_per_thread)} * warps;
  result.shared_per_block_bytes = shared_as_allocated(*limits, input);
  result.allowed.warps = limits->warps / warps;
  result.allowed.blocks = limits->blocks;
  result.allowed.registers = blocks_by_registers(input);
  result.allowed.shared_memory = blocks_by_shared_memory(*limits, input);
  if (limits->barriers > 0 && input.barriers > 0) {
    result.allowed.barriers = limits->barriers / input.barriers;
  }

  const std::array<std::pair<OccupancyLimit, std::optional<int>>, 5> allowed = {{
      {OccupancyLimit::warps, result.allowed.warps},
      {OccupancyLimit::registers, result.allowed.registers},
      {OccupancyLimit::shared_memory, result.allowed.shared_memory},
      {OccupancyLimit::blocks, result.allowed.blocks},
      {OccupancyLimit::barriers, result.allowed.barriers},
  }};
  result.active_blocks = result.allowed.blocks;
  for (const auto& [limit, blocks] : allowed) {
    result.active_blocks = std::min(result.active_blocks, blocks.value_or(result.active_blocks));
  }
  for (const auto& [limit, blocks] : allowed) {
    if (blocks == result.active_blocks) result.limiters.push_back(limit);
  }
  result.active_warps = result.active_blocks * warps;
  result.percent = 100.0 * result.active_warps / result.most_warps;
  if (input.cluster_blocks && input.multiprocessors) {
    result.clusters_at_most = result.active_blocks * *input.multiprocessors / *input.cluster_blocks;
  }
  return result;
}

}  // namespace klab
