// Placement: where in a device's memory lies what a launch works on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace klab::runner {

/// Memory of a device is spread over channels and banks by its physical address, and the same
/// kernel on the same addresses takes some per cent more or less by where its memory lies:
/// scattered stores of an H200 3 %, spilled registers 5 %. A process keeps its place, so that two
/// of them would differ for no reason of the kernel file's. Drawn anew for each sample, it is part
/// of what an interval covers (Curtsinger and Berger, "STABILIZER: Statistically Sound Performance
/// Evaluation", 2013).
class Placement {
 public:
  Placement() = default;
  ~Placement();
  Placement(const Placement&) = delete;
  Placement& operator=(const Placement&) = delete;

  /// Of the current device, which is idle: moves the local memory of all its threads, and what is
  /// taken until the next draw lies elsewhere as well. Memory that is short is left alone.
  void draw(std::uint64_t seed);

 private:
  void leave_room(std::uint64_t seed);

  unsigned long long spacer_ = 0;
};

}  // namespace klab::runner
