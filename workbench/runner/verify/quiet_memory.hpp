// QuietMemory: device memory that is as fast again as it was.
#pragma once

#include <optional>

#include "runner/device/cuda_handles.hpp"

namespace klab::runner {

/// Drivers wipe large memory after it was given back, for some tenths of a second on an H200, and
/// what is timed meanwhile shares the memory's bandwidth with that: kernels that only copy were up
/// to 11 % slower there. This one notes what a copy takes, and waits until it takes that again.
class QuietMemory {
 public:
  /// Where memory is too full for a copy, nothing is noted.
  QuietMemory();
  /// Until a copy is as fast as it was, or half a second has passed.
  void wait() const;

 private:
  /// Seconds of one copy: the middle of a few.
  double copy_seconds() const;

  DeviceBuffer from_, to_;
  Event start_, stop_;
  std::optional<double> usual_;
};

}  // namespace klab::runner
