// Limit: what a measured kernel is held up by next, read from its counters. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/measure/measure_policy.hpp"
#include "core/verdict/check_result.hpp"

namespace klab {

/// From this share of idle device time on, what happens between the kernels matters first.
inline constexpr double idle_from_pct = 20;

struct Limit {
  enum class Kind { ceiling, near_ceiling, waiting, idle };
  Kind kind = Kind::waiting;
  std::string metric;  ///< catalogue name of the busiest unit, or of the idle share
  double percent = 0;  ///< its value
  Source source = Source::measured;
  std::string words;  ///< one or two sentences with the number and its label
  std::string next;   ///< what to try
};

/// nullopt without counters that tell a share of a peak, as from the simulator. `gates` add how
/// near the task's least traffic came to a ceiling measured on this device, where the lab asks for
/// that.
std::optional<Limit> what_limits(const Counters& counters, const std::vector<Gate>& gates);

}  // namespace klab
