// Device and page-locked memory that one problem gave back, for the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace klab::runner {

/// From now on memory that is given back is kept for whoever asks next, or is not any more. For
/// GPUs, where cudaMalloc and cudaFree take longer than most launches of a check; the simulator
/// looks at both.
void keep_spare_memory(bool on);

enum class SpareKind : std::uint8_t { device, pinned };

struct GiveBack {
  std::size_t bytes = 0;  ///< all that there is, which may be more than was asked for
  int device = 0;
  SpareKind kind = SpareKind::device;
  bool registered = false;  ///< page-locked after it was mapped
  void operator()(std::byte* memory) const noexcept;
};
/// Begins at a multiple of 256 bytes and holds anything.
using SpareBuffer = std::unique_ptr<std::byte, GiveBack>;

/// Of the current device. Errors: RunnerError, out_of_memory.
SpareBuffer take_memory(std::size_t bytes, SpareKind kind = SpareKind::device);

}  // namespace klab::runner
