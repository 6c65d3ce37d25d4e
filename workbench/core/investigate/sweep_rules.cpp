// Values of a sweep, and crossings read from intervals.
#include "core/investigate/sweep_rules.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/measure/format.hpp"

namespace klab {
namespace {

/// Powers of two below and above the timing size.
constexpr int steps_down = 12;
constexpr int steps_up = 1;
constexpr int simulated_steps_down = 6;

/// 1: the variant is faster than the first one; -1: slower; 0: the interval holds 1.
int decided(const Interval& ratio) { return ratio.low > 1 ? 1 : ratio.high < 1 ? -1 : 0; }

/// Where a straight line between two medians passes 1, both axes by their logarithms.
std::optional<double> between(const SweepPoint& a, const Interval& ra, const SweepPoint& b,
                              const Interval& rb) {
  if (!(ra.median > 0) || !(rb.median > 0) || a.value < 1 || b.value < 1) return std::nullopt;
  const double from = std::log(ra.median), to = std::log(rb.median);
  if (from == to || from * to > 0) return std::nullopt;
  const double part = from / (from - to);
  const double low = std::log(static_cast<double>(a.value));
  const double high = std::log(static_cast<double>(b.value));
  return std::exp(low + part * (high - low));
}

/// The place within a bracket where the medians pass 1; of several the first.
std::optional<double> place_in(std::span<const SweepPoint> points, std::size_t first,
                               std::size_t last, const VariantName& variant) {
  const SweepPoint* before = nullptr;
  for (std::size_t i = first; i <= last; ++i) {
    const Interval* ratio = find_in(points[i].ratio, variant);
    if (!ratio) continue;
    if (before)
      if (const auto at = between(*before, *find_in(before->ratio, variant), points[i], *ratio))
        return at;
    before = &points[i];
  }
  return std::nullopt;
}

}  // namespace

std::size_t swept_dimension(const Size& size) {
  return static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
}

std::vector<std::int64_t> size_values(const Size& size, bool simulated) {
  std::vector<std::int64_t> values;
  if (size.empty()) return values;
  const std::int64_t extent = size[swept_dimension(size)];
  for (int down = simulated ? simulated_steps_down : steps_down; down > 0; --down)
    if (const std::int64_t value = extent >> down; value >= 1) values.push_back(value);
  values.push_back(extent);
  for (int up = 1; up <= (simulated ? 0 : steps_up); ++up) values.push_back(extent << up);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<Crossover> crossovers(std::span<const SweepPoint> points, const VariantName& variant) {
  std::vector<Crossover> found;
  int side = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Interval* ratio = find_in(points[i].ratio, variant);
    const int now = ratio ? decided(*ratio) : 0;
    if (now == 0) continue;
    if (side != 0 && now != side)
      found.push_back({.from = static_cast<double>(points[last].value),
                       .to = static_cast<double>(points[i].value),
                       .at = place_in(points, last, i, variant),
                       .wins_after = now > 0});
    side = now;
    last = i;
  }
  return found;
}

std::string crossover_text(const Sweep& sweep, const VariantName& variant) {
  if (sweep.variants.empty() || variant == sweep.variants.front()) return {};
  const std::string name = variant.shown(), other = sweep.variants.front().shown();
  int faster = 0, slower = 0, open = 0;
  for (const SweepPoint& point : sweep.points)
    if (const Interval* ratio = find_in(point.ratio, variant)) {
      const int now = decided(*ratio);
      (now > 0 ? faster : now < 0 ? slower : open) += 1;
    }
  if (faster + slower + open == 0)
    return capitalized(name) + " was not timed against " + other + " at any value.";
  const auto crossings = crossovers(sweep.points, variant);
  std::string text;
  for (const Crossover& one : crossings) {
    const auto where = one.at
                           ? "near " + format_count(std::round(*one.at))
                           : "between " + format_count(one.from) + " and " + format_count(one.to);
    text += (text.empty() ? "" : " ") + capitalized(name) +
            (one.wins_after ? " begins" : " ceases") + " to be faster than " + other + " " + where +
            " " + sweep.label + " (measured at " + format_count(one.from) + " and " +
            format_count(one.to) + ").";
  }
  if (!crossings.empty()) return text;
  if (faster + slower == 0)
    return "No value tells " + name + " from " + other + ": every interval holds 1.";
  const std::string rest = open > 0
                               ? " at every value that tells them apart; " + std::to_string(open) +
                                     " of " + std::to_string(faster + slower + open) + " do not"
                               : " at every value";
  return "No crossover: " + name + " is " + (faster > 0 ? "faster" : "slower") + " than " + other +
         rest + ".";
}

}  // namespace klab
