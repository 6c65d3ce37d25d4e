// StreamHold: keeps a stream waiting while the harness looks whether something ran past it.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>

#include "runner/device/cuda_handles.hpp"

namespace klab::runner {

/// Holds a stream back by a kernel of one thread that waits for the host's word. Work that a kernel
/// file orders after its stream cannot start meanwhile; work on a stream of its own can.
class StreamHold {
 public:
  /// Errors: RunnerError.
  StreamHold();

  /// Enqueues the hold. It ends by itself, so that a launch which waits for the device cannot
  /// deadlock: soon at first, and later where launches before outlasted it, as one does whose calls
  /// are slow. Where they outlast that as well they wait for it. Errors: RunnerError.
  void begin(cudaStream_t stream);
  /// Whether the hold has not ended yet.
  bool is_holding() const;
  void release();

  /// A stream that the held one does not delay, to look at memory meanwhile.
  cudaStream_t beside() const { return beside_.get(); }

 private:
  std::chrono::nanoseconds longest_;
  int outlasted_ = 0;      ///< holds in a row that ended by themselves
  PinnedBuffer released_;  ///< one unsigned, read by the waiting kernel
  Event ended_;
  Stream beside_;
};

}  // namespace klab::runner
