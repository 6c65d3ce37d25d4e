// Two comparisons, each against a bound of the policy.
#include "core/timing/clock_doubt.hpp"

#include <algorithm>

#include "core/measure/format.hpp"
#include "core/measure/measure_policy.hpp"
#include "core/measure/statistics.hpp"

namespace klab {
namespace {

const record::Watch* watch_of(const record::Timed& timed, const VariantName& variant) {
  const auto found = std::find_if(timed.watches.begin(), timed.watches.end(),
                                  [&](const record::Watch& one) { return one.variant == variant; });
  return found == timed.watches.end() ? nullptr : &*found;
}

std::optional<ClockDoubt> slower_beside(double beside_s, double alone_s, TimingMode mode) {
  const double bound =
      mode == TimingMode::wall ? policy::slower_beside_wall : policy::slower_beside;
  const double slower = beside_s / alone_s - 1;
  if (slower <= bound) return std::nullopt;
  return ClockDoubt{"But the flawed kernel took " + format_percent(slower * 100) +
                        " longer beside this file than before it was loaded (" +
                        format_seconds(beside_s) + " instead of " + format_seconds(alone_s) +
                        "); up to " + format_percent(bound * 100) + " is taken for chance.",
                    "Something else used the GPU meanwhile: another program, or what this file "
                    "leaves running after a launch, such as a kernel or a thread. Close the one, "
                    "end the other, and check again.",
                    beside_s / alone_s};
}

std::optional<ClockDoubt> longer_outside(const record::Watch& candidate,
                                         const record::Watch& flawed, double flawed_s) {
  const double bound_s =
      std::max(policy::longer_outside_s, policy::longer_outside_share * flawed_s) +
      (candidate.allocates ? policy::allocating_outside_s : 0);
  const double longer_s = candidate.outside_s - flawed.outside_s;
  if (longer_s <= bound_s) return std::nullopt;
  return ClockDoubt{"But each of its launches kept the machine busy for " +
                        format_seconds(longer_s) +
                        " outside of the time that was measured, beyond what a launch of the "
                        "flawed kernel does; up to " +
                        format_seconds(bound_s) + " is taken for chance.",
                    "Have all work done on the given stream, or joined to it, by the time that "
                    "`launch` returns: no thread, kernel or copy may go on behind it."};
}

}  // namespace

std::optional<ClockDoubt> clock_doubt(const Timing& timing, const record::Timed& timed,
                                      TimingMode mode) {
  const record::Watch* flawed = watch_of(timed, VariantName::flawed);
  const record::Watch* candidate = watch_of(timed, VariantName::mine);
  const auto times = timing.variants.find(VariantName::flawed);
  if (!flawed || times == timing.variants.end() || !times->second.seconds) return std::nullopt;
  const double flawed_s = times->second.seconds->median;
  if (flawed->alone_s && *flawed->alone_s > 0)
    if (auto doubt = slower_beside(flawed_s, *flawed->alone_s, mode)) return doubt;
  if (!candidate) return std::nullopt;
  return longer_outside(*candidate, *flawed, flawed_s * timed.launches_per_sample);
}

bool is_scattered(const Interval& interval) {
  const auto half_width = relative_half_width(interval);
  return half_width && *half_width > policy::most_scatter;
}

bool are_disturbed(const Timing& timing, const record::Timed& timed, TimingMode mode) {
  return clock_doubt(timing, timed, mode) || (timing.ratio && is_scattered(*timing.ratio));
}

}  // namespace klab
