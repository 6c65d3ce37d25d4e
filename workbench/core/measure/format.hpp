// How intervals, capabilities and scores are shown to people, beside quantities.
#pragma once

#include <optional>
#include <string>

#include "core/base/compute_capability.hpp"
#include "core/verdict/quantity.hpp"
#include "core/verdict/verdict.hpp"

namespace klab {

/// "7.96x (7.94 to 7.98)": as many digits as the interval's width makes meaningful.
std::string format_ratio(const std::optional<Interval>& ratio);
/// "1.421 ms ±0.2 %" with half the interval's length as a share of the median.
std::string format_seconds(const std::optional<Interval>& seconds);

/// "9.0"
std::string format_capability(const std::optional<ComputeCapability>& capability);
/// "96 of 100", rounded down: 100 is the roof itself.
std::string format_score(std::optional<double> score);

}  // namespace klab
