// SlowClock: tells samples that were taken while the GPU was throttled or waking up.
#pragma once

#include <optional>
#include <vector>

namespace klab {

/// A sample is spoiled by a clock well below the run's median. A bounded share of the samples is
/// judged so; after that the run is taken as it is, and its throttle reasons are reported.
class SlowClock {
 public:
  bool spoils(std::optional<double> mhz);

 private:
  std::vector<double> seen_mhz_;
  int spoiled_ = 0;
};

}  // namespace klab
