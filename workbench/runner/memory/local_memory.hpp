// LocalMemory: where a device keeps what threads spill and index.
#pragma once

#include <cstdint>
#include <vector>

#include "runner/memory/device_pages.hpp"

namespace klab::runner {

/// The driver keeps local memory for all threads that can be resident, in one piece, and what
/// spills takes some per cent more or less by where that piece lies. Processes cannot share it, so
/// it moves from sample to sample, and its place is part of what an interval covers (Curtsinger and
/// Berger, "STABILIZER: Statistically Sound Performance Evaluation", 2013).
class LocalMemory {
 public:
  /// Of the current device, which is idle. Where memory is short it stays.
  void move(std::uint64_t seed);

 private:
  void leave_room(std::uint64_t seed);

  std::vector<DevicePages> spacers_;
};

}  // namespace klab::runner
