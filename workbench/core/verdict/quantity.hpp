// Quantities: the only place that turns a value and its unit into text, and a bound back from it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/verdict/bound.hpp"

namespace klab {

/// What is shown for a number that was not obtained; the reason stands elsewhere.
inline constexpr std::string_view missing_text = "–";

inline constexpr int significant_digits = 4;
/// `value` with at most `digits` significant digits, never in exponent form.
std::string significant(double value, int digits = significant_digits);

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

/// A value in the unit that a metric, ceiling or gate names: "s", "byte", "byte/s", "flop",
/// "flop/s", "Hz", "%", "x", or a counted thing such as "sectors", which is kept as a suffix.
std::string format_value(std::optional<double> value, std::string_view unit);
/// A bound as the values that it bounds: "<= 1,200 sectors", ">= 90 %".
std::string format_bound(const Bound& bound, std::string_view unit);

/// A bound with the unit in which it is said; empty: a bare number, whatever the value's unit.
struct Target {
  Bound bound;
  std::string unit;

  bool operator==(const Target&) const = default;
};
/// As format_bound(); empty if there is none.
std::string format_target(const std::optional<Target>& target);
/// As records say it: as people read it, but for bare numbers, which keep all their digits.
std::string target_words(const Target& target);
/// The target that people or records say so; nullopt if it is none.
std::optional<Target> target_from(std::string_view words);

}  // namespace klab
