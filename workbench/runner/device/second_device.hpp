// SecondDevice: what the harness keeps on the other device of a lab for two.
#pragma once

#include <cuda_runtime_api.h>

#include <optional>

#include "runner/device/cuda_handles.hpp"
#include "runner/device/timing_kernels.hpp"

namespace klab::runner {

/// Makes `device` the current one while it lives. What CUDA makes belongs to the current device,
/// and kernels go to streams of the current device only.
class CurrentDevice {
 public:
  /// Errors: RunnerError.
  [[nodiscard]] explicit CurrentDevice(int device);
  ~CurrentDevice();
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int before_ = 0;
};

/// The device that is current now.
int current_device();

/// A stream of the other device, and its order beside that of the first device. A launch gets both
/// streams, and its work is done when both are.
class SecondDevice {
 public:
  /// On the simulator, which has one device, `device` may be that one: then order, results and
  /// memory are tried all the same. `cold`: its L2 is emptied as the first one's is. Errors:
  /// RunnerError.
  SecondDevice(int device, unsigned stream_flags, bool cold);

  int number() const { return device_; }
  cudaStream_t stream() const { return stream_.get(); }

  /// What is enqueued here from now on begins after what `first`, a stream of the current device,
  /// has been given so far.
  void follow(cudaStream_t first) const;
  /// The other way round: `first` goes on when what was enqueued here is done.
  void join(cudaStream_t first) const;
  /// Empties the L2, in stream order.
  void flush() const;
  /// Of all work on the device. Not thrown, so that whoever launched can say what went wrong.
  cudaError_t wait() const;

 private:
  int device_;
  Stream stream_;
  Event first_reached_, reached_;
  std::optional<ColdCache> cold_;
};

}  // namespace klab::runner
