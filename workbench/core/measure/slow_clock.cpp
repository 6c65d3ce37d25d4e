// Held against the median of all clocks so far.
#include "core/measure/slow_clock.hpp"

#include "core/measure/measure_policy.hpp"
#include "core/measure/statistics.hpp"

namespace klab {
namespace {

constexpr std::size_t least_readings = 5;

}  // namespace

bool SlowClock::spoils(std::optional<double> mhz) {
  if (!mhz) return false;
  seen_mhz_.push_back(*mhz);
  const bool slow =
      seen_mhz_.size() >= least_readings && *mhz < policy::least_clock_share * *median(seen_mhz_);
  const double share = (spoiled_ + 1) / static_cast<double>(seen_mhz_.size());
  if (!slow || share > policy::most_retaken_share) return false;
  ++spoiled_;
  return true;
}

}  // namespace klab
