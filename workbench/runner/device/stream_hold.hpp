// StreamHold: keeps a stream waiting while the harness looks whether something ran past it.
#pragma once

#include <cuda_runtime_api.h>

#include "runner/device/cuda_handles.hpp"

namespace klab::runner {

/// Holds a stream back by a kernel of one thread that waits for the host's word. Work that a kernel
/// file orders after its stream cannot start meanwhile; work on a stream of its own can.
class StreamHold {
 public:
  /// Errors: RunnerError.
  StreamHold();

  /// Enqueues the hold. It ends by itself after 0.6 ms, so that a launch which waits for the device
  /// cannot deadlock. Errors: RunnerError.
  void begin(cudaStream_t stream);
  /// Whether the hold has not ended yet.
  bool is_holding() const;
  void release();

  /// A stream that the held one does not delay, to look at memory meanwhile.
  cudaStream_t beside() const { return beside_.get(); }

 private:
  PinnedBuffer released_;  ///< one unsigned, read by the waiting kernel
  Event ended_;
  Stream beside_;
};

}  // namespace klab::runner
