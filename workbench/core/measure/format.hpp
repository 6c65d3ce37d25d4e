// Formatting of numbers for people: the only place that turns a value and its unit into text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/measure/bound.hpp"
#include "core/verdict/verdict.hpp"

namespace klab {

/// What is shown for a number that was not obtained; the reason stands elsewhere.
inline constexpr std::string_view missing_text = "–";

/// Every function shows at most four significant digits without trailing zeros, and missing_text
/// for an absent value or one that is not finite.
std::string format_seconds(std::optional<double> seconds);   ///< "178.6 us", "1.421 ms", "850 ns"
std::string format_bytes(std::optional<double> bytes);       ///< traffic, decimal: "10.4 GB"
std::string format_capacity(std::optional<double> bytes);    ///< memory sizes, binary: "228 KiB"
std::string format_bytes_per_s(std::optional<double> rate);  ///< "4.118 TB/s"
std::string format_flop(std::optional<double> operations);   ///< "2.147 Gflop"
std::string format_flop_per_s(std::optional<double> rate);   ///< "51 Tflop/s"
std::string format_hertz(std::optional<double> frequency);   ///< "1.98 GHz"
std::string format_percent(std::optional<double> percent);   ///< 93.27 -> "93.3 %"
std::string format_number(std::optional<double> value);      ///< "31.99", "0.0123"
/// Whole counts with thousands separators: "308,000,000"; a fraction falls back to format_number.
std::string format_count(std::optional<double> count);
std::string format_ratio(std::optional<double> ratio);  ///< "7.96x"
/// "7.96x (7.94 to 7.98)": as many digits as the interval's width makes meaningful.
std::string format_ratio(const std::optional<Interval>& ratio);
/// "1.421 ms ±0.2 %" with half the interval's length as a share of the median.
std::string format_seconds(const std::optional<Interval>& seconds);

/// "9.0" of 90.
std::string format_capability(int compute_capability);
/// "96 of 100", rounded down: 100 is the roof itself.
std::string format_score(std::optional<double> score);

/// A value in the unit that a metric, ceiling or gate names: "s", "byte", "byte/s", "flop",
/// "flop/s", "Hz", "%", "x", or a counted thing such as "sectors", which is kept as a suffix.
std::string format_value(std::optional<double> value, std::string_view unit);
/// A bound as the values that it bounds: "<= 1,200 sectors", ">= 90 %".
std::string format_bound(const Bound& bound, std::string_view unit);

}  // namespace klab
