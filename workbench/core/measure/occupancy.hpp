// Occupancy: how many blocks of a kernel one multiprocessor holds at once, and what limits them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/compute_capability.hpp"
#include "core/base/result.hpp"

namespace klab {

/// Limits of one multiprocessor. Source: CUDA C++ Programming Guide, "Technical specifications per
/// compute capability", cross-checked with the toolkit's cuda_occupancy.h (which alone names the
/// barriers and allocation units).
struct MultiprocessorLimits {
  ComputeCapability compute_capability = default_compute_capability;
  int warps = 0;
  int blocks = 0;
  std::int64_t shared_bytes = 0;
  std::int64_t shared_per_block_bytes = 0;  ///< with opt-in, static and dynamic together
  std::int64_t shared_reserved_bytes = 0;   ///< taken by the system from each block
  std::int64_t shared_unit_bytes = 0;       ///< granularity of allocation
  int barriers = 0;                         ///< 0 where they never limit (before 9.0)
  int largest_cluster = 0;                  ///< blocks, with opt-in beyond 8; 0 before 9.0
};
inline constexpr int warp_threads = 32;
inline constexpr int most_threads_per_block = 1024;
inline constexpr int most_registers_per_thread = 255;
inline constexpr int registers_per_multiprocessor = 65536;

/// Every capability the calculator knows, ascending: 7.5 to 12.1.
std::span<const MultiprocessorLimits> multiprocessor_limits();
const MultiprocessorLimits* find_multiprocessor_limits(ComputeCapability capability);

/// One kernel and the way it is launched.
struct OccupancyInput {
  ComputeCapability compute_capability = default_compute_capability;
  int block_threads = 256;
  int registers_per_thread = 32;
  std::int64_t static_shared_bytes = 0;
  std::int64_t dynamic_shared_bytes = 0;
  int barriers = 1;                    ///< named barriers the block uses; limits from 9.0 on
  std::optional<int> cluster_blocks;   ///< blocks of a cluster; needs 9.0
  std::optional<int> multiprocessors;  ///< of the device, for the bound on clusters
};

enum class OccupancyLimit { warps, registers, shared_memory, blocks, barriers };
std::string_view to_string(OccupancyLimit limit);

/// Blocks that each resource alone would allow; nullopt if the kernel does not use it.
struct BlockLimits {
  int warps = 0;
  int blocks = 0;
  std::optional<int> registers;
  std::optional<int> shared_memory;
  std::optional<int> barriers;
};

struct Occupancy {
  int active_blocks = 0;  ///< 0: this launch fails
  int active_warps = 0;
  int most_warps = 0;
  double percent = 0;                    ///< active_warps of most_warps
  std::vector<OccupancyLimit> limiters;  ///< every resource that allows no more blocks
  BlockLimits allowed;
  std::int64_t registers_per_block = 0;     ///< as allocated
  std::int64_t shared_per_block_bytes = 0;  ///< as allocated, the reserved part included
  /// Clusters the device holds at most. The hardware may hold fewer, as a cluster must fit into one
  /// GPC; only cudaOccupancyMaxActiveClusters on the device knows.
  std::optional<int> clusters_at_most;
};

/// The limiters as words: "registers, shared memory".
std::string limiters_text(const Occupancy& occupancy);

/// Errors: ErrorCode::usage for an unknown capability or a value that no launch can have.
Result<Occupancy> occupancy(const OccupancyInput& input);

}  // namespace klab
