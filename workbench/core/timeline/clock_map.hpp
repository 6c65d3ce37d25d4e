// ClockMap: times of another clock as times of the host's steady clock, from readings of both at
// the beginning and at the end.
#pragma once

#include <cstdint>
#include <functional>

#include "core/timeline/model.hpp"

namespace klab {

/// Both clocks at one moment.
struct ClockReading {
  std::int64_t host_ns = 0;
  std::int64_t other_ns = 0;
  std::int64_t uncertainty_ns = 0;  ///< the moment is known to this much
};

/// Reads the other clock between two readings of the host's, several times, and keeps the tightest.
ClockReading read_both_clocks(const std::function<std::int64_t()>& host_ns,
                              const std::function<std::int64_t()>& other_ns);

/// A straight line through two readings, so that a steady drift between the clocks is corrected.
class ClockMap {
 public:
  ClockMap(const ClockReading& begin, const ClockReading& end);
  std::int64_t host_ns(std::int64_t other_ns) const;
  ClockQuality quality() const;

 private:
  ClockReading begin_, end_;
  double host_per_other_ = 1;
};

}  // namespace klab
