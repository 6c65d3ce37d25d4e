// A sweep as JSON: its points, and beside them where one kernel overtakes another.
#include <algorithm>

#include "core/investigate/sweep_rules.hpp"
#include "core/verdict/check_result_json.hpp"
#include "core/verdict/json_reading.hpp"

namespace klab {
namespace {

using nlohmann::json;
using namespace json_reading;

/// What is longer was not written by us.
constexpr std::size_t most_points = 256;
constexpr std::size_t most_swept_variants = 64;

json intervals_json(const std::map<VariantName, Interval>& intervals) {
  json object = json::object();
  for (const auto& [variant, interval] : intervals)
    object[variant.name()] = interval_json(interval);
  return object;
}

std::map<VariantName, Interval> intervals_from(const json& object) {
  std::map<VariantName, Interval> intervals;
  for (const auto& [variant, value] : object.items())
    if (const auto interval = interval_from(value)) intervals[VariantName(variant)] = *interval;
  return intervals;
}

json point_json(const SweepPoint& point) {
  json counters = json::object();
  for (const auto& [variant, values] : point.counters) counters[variant.name()] = to_json(values);
  return {{"value", point.value},
          {"size", point.size},
          {"seconds", intervals_json(point.seconds)},
          {"ratio", intervals_json(point.ratio)},
          {"counters", std::move(counters)},
          {"error", point.error ? to_json(*point.error) : json(nullptr)}};
}

SweepPoint point_from(const json& object) {
  SweepPoint point;
  point.value = get(object, "value", std::int64_t{0});
  if (const json& size = part(object, "size"); size.is_array())
    for (const json& extent : size)
      if (extent.is_number_integer()) point.size.push_back(extent.get<std::int64_t>());
  point.seconds = intervals_from(part(object, "seconds"));
  point.ratio = intervals_from(part(object, "ratio"));
  for (const auto& [variant, values] : part(object, "counters").items())
    point.counters[VariantName(variant)] = counters_from(values);
  if (const json& error = part(object, "error"); error.is_object() && !error.empty())
    point.error = error_from(error);
  return point;
}

json crossovers_json(const Sweep& sweep) {
  json all = json::object();
  for (const VariantName& variant : sweep.variants) {
    if (variant == sweep.variants.front()) continue;
    json list = json::array();
    for (const Crossover& one : crossovers(sweep.points, variant))
      list.push_back({{"from", one.from},
                      {"to", one.to},
                      {"at", number(one.at)},
                      {"wins_after", one.wins_after}});
    all[variant.name()] = {{"crossovers", std::move(list)},
                           {"text", crossover_text(sweep, variant)}};
  }
  return all;
}

}  // namespace

json to_json(const Sweep& sweep) {
  json points = json::array();
  for (const SweepPoint& point : sweep.points) points.push_back(point_json(point));
  return {{"parameter", sweep.parameter},         {"label", sweep.label},
          {"variants", sweep.variants},           {"metrics", sweep.metrics},
          {"points", std::move(points)},          {"notes", sweep.notes},
          {"conclusions", crossovers_json(sweep)}};
}

Result<Sweep> sweep_from(const json& object) {
  const json& points = part(object, "points");
  if (!points.is_array() || points.size() > most_points)
    return make_error(ErrorCode::io, "A sweep holds no list of points.");
  Sweep sweep;
  sweep.parameter = get<std::string>(object, "parameter", "");
  sweep.label = get<std::string>(object, "label", "");
  for (const std::string& variant : strings(part(object, "variants")))
    sweep.variants.emplace_back(variant);
  if (sweep.variants.size() > most_swept_variants) sweep.variants.resize(most_swept_variants);
  sweep.metrics = strings(part(object, "metrics"));
  for (const json& point : points)
    if (point.is_object()) sweep.points.push_back(point_from(point));
  std::stable_sort(sweep.points.begin(), sweep.points.end(),
                   [](const auto& a, const auto& b) { return a.value < b.value; });
  sweep.notes = strings(part(object, "notes"));
  return sweep;
}

}  // namespace klab
