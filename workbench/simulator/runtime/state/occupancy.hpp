// Occupancy of the simulated device, by NVIDIA's own calculator (cuda_occupancy.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/runtime/state/modules.hpp"

namespace klab::sim {

/// Registers of one multiprocessor, compute capability 9.0 (CUDA programming guide, technical
/// specifications).
inline constexpr std::uint64_t registers_per_multiprocessor = 65'536;

/// Registers that a block occupies: allocated per warp in units of 256 (cuda_occupancy.h).
std::uint64_t block_registers(const CompiledKernel& kernel, std::uint64_t threads);

/// Blocks of this size that one multiprocessor holds at once. Without machine code in the plugin
/// the registers are unknown and do not limit; the kernel must be resolved.
int active_blocks(const KernelRecord& kernel, int block_threads, std::size_t dynamic_shared_bytes);

/// Dynamic shared memory left for each of `blocks` resident blocks; nothing fits: 0.
std::size_t available_dynamic_shared_bytes(const KernelRecord& kernel, int blocks,
                                           int block_threads);

}  // namespace klab::sim
