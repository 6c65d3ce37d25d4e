// How long a launch is going to take, before it is asked for.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runner/workload/workload.hpp"

namespace klab::runner {

/// What a launch took whose longest extent is this one, all others being the same.
struct TimedExtent {
  std::int64_t extent = 0;
  double seconds = 0;
};

/// As launches at a short and a longer extent have it: what both take alike does not grow.
inline double expected_seconds(const TimedExtent& shorter, const TimedExtent& longer,
                               std::int64_t extent) {
  if (longer.extent <= shorter.extent) return longer.seconds;
  const double growth = std::max(0.0, longer.seconds - shorter.seconds) /
                        static_cast<double>(longer.extent - shorter.extent);
  return longer.seconds + growth * static_cast<double>(extent - longer.extent);
}

/// Whether a launch at this size is going to take longer than so many seconds, going by parts of it
/// whose longest extent is shorter, each by far longer than the one before: what held one up, and
/// hides how the time grows, is a smaller share of the next. `seconds_at`: of a launch at a size.
template <class SecondsAt>
bool takes_longer(double seconds, const Size& size, const SecondsAt& seconds_at) {
  constexpr std::int64_t shortest = 1 << 16, others[] = {1 << 12, 1 << 8};
  constexpr double hopeless = 10e-3;  // for so little
  const auto longest = std::max_element(size.begin(), size.end()) - size.begin();
  const auto timed = [&](std::int64_t times) {
    Size part = size;
    part[longest] = std::max<std::int64_t>(part[longest] / times, 1);  // others may be longer now
    return TimedExtent{part[longest], seconds_at(part)};
  };
  TimedExtent shorter = timed(shortest);
  if (shorter.seconds > hopeless) return true;
  for (const std::int64_t times : others) {
    const TimedExtent longer = timed(times);
    if (expected_seconds(shorter, longer, size[longest]) > seconds) return true;
    shorter = longer;
  }
  return false;
}

}  // namespace klab::runner
