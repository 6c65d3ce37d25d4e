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

/// The same problem with a longest extent that is so many times shorter.
inline Size with_shorter_extent(Size size, std::int64_t times) {
  const auto longest = std::max_element(size.begin(), size.end());
  *longest = std::max<std::int64_t>(*longest / times, 1);
  return size;
}

}  // namespace klab::runner
