// The harness's own kernels around a timed launch: an emptied L2, and a head start for the host.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstddef>

#include "runner/device/cuda_handles.hpp"

namespace klab::runner {

/// Replaces what the L2 holds by reading policy::l2_flush_factor times its size. Reading leaves
/// clean lines: after writing, the timed kernel would pay for writing back up to an L2 full of the
/// harness's own dirty lines.
class ColdCache {
 public:
  /// Errors: out_of_memory.
  ColdCache();
  /// Enqueues the reading. Errors: RunnerError.
  void flush(cudaStream_t stream) const;

 private:
  std::size_t bytes_;
  DeviceBuffer memory_;
};

/// Keeps the stream busy for `duration`, so that the host can enqueue what follows before the GPU
/// gets there: the gap between host calls then does not fall between two events. The delay ends by
/// itself, so a launch that waits for the device cannot deadlock. Errors: RunnerError.
void delay(cudaStream_t stream, std::chrono::nanoseconds duration);

}  // namespace klab::runner
