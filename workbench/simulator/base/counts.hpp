// The event counts of a kernel: what is counted, how far each number can be trusted, and per source
// line.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace klab::sim {

// Every count is an exact event count of the interpreted PTX; the label says how it relates to
// hardware.
enum class Label : std::uint8_t {
  counted,  // decided by addresses or control flow: equals the hardware counter
  modelled  // a rule of the simulator that hardware (or ptxas) need not share
};

enum class Metric : std::uint8_t {
  warp_instructions,
  thread_instructions,
  branches,
  divergent_branches,
  global_load_requests,
  global_load_sectors,
  global_store_requests,
  global_store_sectors,
  local_load_requests,
  local_load_sectors,
  local_store_requests,
  local_store_sectors,
  shared_load_requests,
  shared_load_wavefronts,
  shared_load_bank_conflicts,
  shared_store_requests,
  shared_store_wavefronts,
  shared_store_bank_conflicts,
  global_atomics,
  global_atomic_sectors,
  shared_atomics,
  shared_atomic_wavefronts,
  shared_copy_bank_conflicts,
  cluster_sectors,
  bulk_requests,
  bulk_sectors,
  texture_requests,
  texture_sectors,
  global_load_bytes,
  global_store_bytes,
  global_atomic_bytes,
  local_load_bytes,
  local_store_bytes,
  shared_load_bytes,
  shared_store_bytes,
  shared_atomic_bytes,
  barriers,
  flop_fp16,
  flop_fp32,
  flop_fp64,
  tensor_flop_half,
  tensor_flop_other,
  count
};

inline constexpr std::size_t metric_count = static_cast<std::size_t>(Metric::count);

struct MetricInfo {
  std::string_view name;
  Label label;
  std::string_view meaning;
};

// Name (the metric catalogue's), label and one-line meaning of a metric.
const MetricInfo& describe(Metric metric);

struct Counts {
  std::array<std::uint64_t, metric_count> values{};

  std::uint64_t& operator[](Metric metric) { return values[static_cast<std::size_t>(metric)]; }
  std::uint64_t operator[](Metric metric) const { return values[static_cast<std::size_t>(metric)]; }
  Counts& operator+=(const Counts& other);
  bool operator==(const Counts&) const = default;
};

// Counts of one source line. Lines of inlined library code are charged to the line that called it.
struct LineCounts {
  std::string file;
  std::uint32_t line = 0;
  Counts counts;
};

// Everything counted for one kernel since the last reset.
struct KernelCounts {
  std::uint64_t launches = 0;
  Counts total;
  std::vector<LineCounts> lines;  // sorted by file, then line; only lines that executed
};

}  // namespace klab::sim
