// What was not done where kernels run in part, and which memory lacks it.
#pragma once

#include <cstdint>
#include <set>

#include "simulator/memory/device_memory.hpp"
#include "simulator/memory/touched_memory.hpp"
#include "simulator/runtime/state/allocations.hpp"

namespace klab::sim {

struct LeftOut {
  std::uint64_t kernels = 0;                 ///< that ran some of their blocks
  std::uint64_t copies = 0;                  ///< and fills
  std::uint64_t cut_short = 0;               ///< of these, see notice_cut_short()
  std::uint64_t allocations = 0;             ///< for which there was no room
  std::uint64_t most_bytes = 0;              ///< of one of these
  std::uint64_t uncertain = 0;               ///< kernels that read what others left out
  std::uint64_t most_blocks = 0;             ///< of one kernel
  std::uint64_t deadlocks = 0;               ///< kernels of which a block waits for itself
  std::uint64_t warps = 0, warps_ahead = 0;  ///< of the last one that reached a limit
  std::set<std::uint64_t> incomplete;        ///< allocations that lack something
  ByteRanges there;                          ///< what was written in these all the same
  ByteRanges copied_to;                      ///< where copies and fills would have written

  bool reads_incomplete(const DeviceMemory& memory, TouchedMemory touched) const;
  /// Whether that reads bytes in these that nobody wrote.
  bool reads_what_is_missing(const DeviceMemory& memory, TouchedMemory touched);
  /// Work that wrote there did not write all that it was to write.
  void add_incomplete(const DeviceMemory& memory, TouchedMemory touched);
  /// A copy or fill of so many bytes from the beginning of an allocation: as many as the last 32
  /// bits of its size say are too few, and nobody's choice.
  void notice_cut_short(Allocations& allocations, const void* address, std::size_t bytes);
};

}  // namespace klab::sim
