// Quantities: units, prefixes, digits.
#include "core/verdict/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.hpp"

namespace klab {
namespace {

struct Prefix {
  double factor;
  std::string_view unit;
};

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == text.npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

/// The largest prefix that leaves the value, as shown, at 1 or more. `prefixes` ascend.
template <std::size_t count>
std::string prefixed(std::optional<double> value, const std::array<Prefix, count>& prefixes) {
  if (!value || !std::isfinite(*value)) return std::string(missing_text);
  const double shown_as_one = 1 - 0.5 * std::pow(10.0, -significant_digits);
  const auto* best = &prefixes.front();
  for (const auto& prefix : prefixes) {
    if (std::abs(*value) / prefix.factor >= shown_as_one) best = &prefix;
  }
  return fmt::format("{} {}", significant(*value / best->factor), best->unit);
}

constexpr std::array<Prefix, 4> seconds_prefixes = {
    {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}}};
constexpr std::array<Prefix, 6> bytes_prefixes = {
    {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}}};
constexpr std::array<Prefix, 5> capacity_prefixes = {
    {{1, "B"}, {1024, "KiB"}, {1048576, "MiB"}, {1073741824, "GiB"}, {1099511627776, "TiB"}}};
constexpr std::array<Prefix, 5> byte_rate_prefixes = {
    {{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}}};
constexpr std::array<Prefix, 6> flop_prefixes = {{{1, "flop"},
                                                  {1e3, "kflop"},
                                                  {1e6, "Mflop"},
                                                  {1e9, "Gflop"},
                                                  {1e12, "Tflop"},
                                                  {1e15, "Pflop"}}};
constexpr std::array<Prefix, 6> flop_rate_prefixes = {{{1, "flop/s"},
                                                       {1e3, "kflop/s"},
                                                       {1e6, "Mflop/s"},
                                                       {1e9, "Gflop/s"},
                                                       {1e12, "Tflop/s"},
                                                       {1e15, "Pflop/s"}}};
constexpr std::array<Prefix, 4> hertz_prefixes = {
    {{1, "Hz"}, {1e3, "kHz"}, {1e6, "MHz"}, {1e9, "GHz"}}};

/// What is shown with a prefix, by the unit that gates name.
constexpr std::pair<std::string_view, std::span<const Prefix>> prefixed_units[] = {
    {"s", seconds_prefixes}, {"byte", bytes_prefixes},       {"byte/s", byte_rate_prefixes},
    {"flop", flop_prefixes}, {"flop/s", flop_rate_prefixes}, {"Hz", hertz_prefixes}};

/// "kernel" of "kernels", "copy" of "copies", "launch" of "launches".
std::string singular(std::string_view unit) {
  std::string one(unit);
  if (one.ends_with("ies")) return one.substr(0, one.size() - 3) + "y";
  if (one.ends_with("ches")) return one.substr(0, one.size() - 2);
  if (one.ends_with('s')) one.pop_back();
  return one;
}

}  // namespace

std::string significant(double value, int digits) {
  if (value == 0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const int decimals = std::clamp(digits - 1 - magnitude, 0, 17);
  return with_separators(without_trailing_zeros(fmt::format("{:.{}f}", value, decimals)));
}

std::string format_seconds(std::optional<double> seconds) {
  return prefixed(seconds, seconds_prefixes);
}
std::string format_bytes(std::optional<double> bytes) { return prefixed(bytes, bytes_prefixes); }
std::string format_capacity(std::optional<double> bytes) {
  return prefixed(bytes, capacity_prefixes);
}
std::string format_bytes_per_s(std::optional<double> rate) {
  return prefixed(rate, byte_rate_prefixes);
}
std::string format_flop(std::optional<double> operations) {
  return prefixed(operations, flop_prefixes);
}
std::string format_flop_per_s(std::optional<double> rate) {
  return prefixed(rate, flop_rate_prefixes);
}
std::string format_hertz(std::optional<double> frequency) {
  return prefixed(frequency, hertz_prefixes);
}

std::string format_percent(std::optional<double> percent) {
  if (!percent || !std::isfinite(*percent)) return std::string(missing_text);
  return significant(*percent, 3) + " %";
}

std::string format_number(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return std::string(missing_text);
  return significant(*value);
}

std::string format_count(std::optional<double> count) {
  constexpr double exactly_representable = 9007199254740992;  // 2^53
  // A mean of thousands is written as a whole number: four digits show no fraction of it.
  const bool whole = count && (std::trunc(*count) == *count || std::abs(*count) >= 1000);
  if (!whole || std::abs(*count) > exactly_representable) return format_number(count);
  std::string digits = fmt::format("{:.0f}", *count + 0.0);
  const int first_digit = *count < 0 ? 1 : 0;
  for (int at = static_cast<int>(digits.size()) - 3; at > first_digit; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return digits;
}

std::string format_ratio(std::optional<double> ratio) {
  if (!ratio || !std::isfinite(*ratio)) return std::string(missing_text);
  return significant(*ratio) + "x";
}

std::string format_value(std::optional<double> value, std::string_view unit) {
  if (unit == "s") return format_seconds(value);
  if (unit == "byte") return format_bytes(value);
  if (unit == "byte/s") return format_bytes_per_s(value);
  if (unit == "flop") return format_flop(value);
  if (unit == "flop/s") return format_flop_per_s(value);
  if (unit == "Hz") return format_hertz(value);
  if (unit == "%") return format_percent(value);
  if (unit == "x") return format_ratio(value);
  const std::string number = format_count(value);
  if (unit.empty() || number == missing_text) return number;
  return fmt::format("{} {}", number, number == "1" ? singular(unit) : std::string(unit));
}

std::string format_bound(const Bound& bound, std::string_view unit) {
  return std::string(symbol_of(bound.relation)) + ' ' + format_value(bound.value, unit);
}

std::string format_target(const std::optional<Target>& target) {
  return target ? format_bound(target->bound, target->unit) : std::string();
}

std::string target_words(const Target& target) {
  if (!target.unit.empty()) return format_target(target);
  std::array<char, 400> digits;  // of the largest double, written out
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(),
                                          target.bound.value, std::chars_format::fixed);
  return std::string(symbol_of(target.bound.relation)) + ' ' + std::string(digits.data(), end);
}

std::optional<Target> target_from(std::string_view words) {
  std::string text(words);
  std::erase(text, ',');
  const auto end = text.find_first_not_of("0123456789.+-", std::min<std::size_t>(3, text.size()));
  const auto bound = parse_bound(std::string_view(text).substr(0, end));
  if (!bound) return std::nullopt;
  std::string_view said = end == text.npos ? "" : std::string_view(text).substr(end);
  if (said == "x") return Target{*bound, "x"};
  if (said.starts_with(' ')) said.remove_prefix(1);
  for (const auto& [unit, prefixes] : prefixed_units)
    for (const Prefix& prefix : prefixes)
      if (said == prefix.unit)
        return Target{{bound->relation, bound->value * prefix.factor}, std::string(unit)};
  return Target{*bound, std::string(said)};
}

}  // namespace klab
