// ClockMap: reading two clocks, and a line through the readings.
#include "core/timeline/clock_map.hpp"

#include <algorithm>
#include <cmath>

namespace klab {
namespace {

/// Enough that one reading is not interrupted by the scheduler.
constexpr int attempts = 32;
/// Clocks of one machine do not differ by more than this in speed; a larger slope means that one of
/// them was set meanwhile, and the line would distort durations.
constexpr double most_skew = 1e-3;

}  // namespace

ClockReading read_both_clocks(const std::function<std::int64_t()>& host_ns,
                              const std::function<std::int64_t()>& other_ns) {
  ClockReading best;
  best.uncertainty_ns = INT64_MAX;
  for (int i = 0; i < attempts; ++i) {
    const std::int64_t before = host_ns();
    const std::int64_t other = other_ns();
    const std::int64_t after = host_ns();
    const std::int64_t half = (after - before + 1) / 2;
    if (half < best.uncertainty_ns) best = {before + (after - before) / 2, other, half};
  }
  return best;
}

ClockMap::ClockMap(const ClockReading& begin, const ClockReading& end) : begin_(begin), end_(end) {
  const auto host = static_cast<double>(end.host_ns - begin.host_ns);
  const auto other = static_cast<double>(end.other_ns - begin.other_ns);
  if (host > 0 && other > 0 && std::abs(host / other - 1) <= most_skew)
    host_per_other_ = host / other;
}

std::int64_t ClockMap::host_ns(std::int64_t other_ns) const {
  return begin_.host_ns +
         std::llround(static_cast<double>(other_ns - begin_.other_ns) * host_per_other_);
}

ClockQuality ClockMap::quality() const {
  return {(end_.host_ns - end_.other_ns) - (begin_.host_ns - begin_.other_ns),
          std::max(begin_.uncertainty_ns, end_.uncertainty_ns)};
}

}  // namespace klab
