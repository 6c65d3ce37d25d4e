// From samples to intervals.
#include "core/timing/phase_timing.hpp"

#include "core/measure/statistics.hpp"

namespace klab {

std::optional<record::Timed> timed_by(const PhaseOutcome& outcome) {
  const auto ends = outcome.all<record::Timed>();
  return ends.empty() ? std::nullopt : std::optional(ends.back());
}

Timing timing_of(const PhaseOutcome& outcome) {
  Timing timing;
  for (const record::Sample& sample : outcome.all<record::Sample>()) {
    VariantTimes& times = timing.variants[sample.variant];
    times.samples_s.push_back(sample.seconds);
    if (sample.sm_clock_mhz) times.sm_clock_mhz.push_back(*sample.sm_clock_mhz);
  }
  const auto timed = timed_by(outcome);
  if (!timed) return timing;
  for (auto& [name, times] : timing.variants) times.seconds = median_interval(times.samples_s);
  const auto& flawed = timing.variants[VariantName::flawed].samples_s;
  const auto& mine = timing.variants[VariantName::mine].samples_s;
  timing.ratio = ratio_interval(flawed, mine);
  timing.cliffs_delta = cliffs_delta(flawed, mine);
  timing.stopped_because = timed->stopped_because;
  timing.throttle_reasons = timed->throttle_reasons;
  return timing;
}

}  // namespace klab
