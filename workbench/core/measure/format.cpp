// Formatting for people what is more than a value and its unit.
#include "core/measure/format.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/measure/statistics.hpp"

namespace klab {
namespace {

/// Decimals at which the second digit of the half-width stands, at most those of four digits.
int meaningful_decimals(const Interval& interval) {
  const double half_width = (interval.high - interval.low) / 2;
  const auto decimals_of = [](double value, int digits) {
    return value > 0 ? digits - 1 - static_cast<int>(std::floor(std::log10(value))) : digits;
  };
  const int most = decimals_of(std::abs(interval.median), significant_digits);
  return std::clamp(half_width > 0 ? std::min(most, decimals_of(half_width, 2)) : most, 0, 6);
}

bool finite(const std::optional<Interval>& interval) {
  return interval && std::isfinite(interval->median) && std::isfinite(interval->low) &&
         std::isfinite(interval->high);
}

}  // namespace

std::string format_capability(const std::optional<ComputeCapability>& capability) {
  return capability ? to_string(*capability) : std::string(missing_text);
}

std::string format_score(std::optional<double> score) {
  if (!score || !std::isfinite(*score)) return std::string(missing_text);
  return fmt::format("{:.0f} of 100", std::floor(*score));
}

std::string format_ratio(const std::optional<Interval>& ratio) {
  if (!finite(ratio)) return std::string(missing_text);
  const int decimals = meaningful_decimals(*ratio);
  return fmt::format("{:.{}f}x ({:.{}f} to {:.{}f})", ratio->median, decimals, ratio->low, decimals,
                     ratio->high, decimals);
}

std::string format_seconds(const std::optional<Interval>& seconds) {
  if (!finite(seconds)) return std::string(missing_text);
  const std::string middle = format_seconds(std::optional<double>(seconds->median));
  const auto half_width = relative_half_width(*seconds);
  if (!half_width) return middle;
  return fmt::format("{} ±{} %", middle, significant(*half_width * 100, 2));
}

}  // namespace klab
