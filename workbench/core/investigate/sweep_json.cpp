// A sweep as JSON: its points, and beside them where one kernel overtakes another.
#include <algorithm>

#include "core/investigate/sweep_rules.hpp"
#include "core/verdict/json/check_result_fields.hpp"
#include "core/verdict/json/json_fields.hpp"

namespace klab {
namespace {

using json_fields::at_most;
using json_reading::number;
using nlohmann::json;

/// What is longer was not written by us.
constexpr std::size_t most_points = 256;
constexpr std::size_t most_swept_variants = 64;

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

template <class Visit>
void fields(Visit& visit, SweepPoint& point) {
  visit("value", point.value);
  visit("size", point.size);
  visit("seconds", point.seconds);
  visit("ratio", point.ratio);
  visit("counters", point.counters);
  visit("error", point.error);
}

template <class Visit>
void fields(Visit& visit, Sweep& sweep) {
  visit("parameter", sweep.parameter);
  visit("label", sweep.label);
  visit("variants", at_most(most_swept_variants, sweep.variants, "it has too many variants"));
  visit("metrics", sweep.metrics);
  visit("points", sweep.points);
  visit("notes", sweep.notes);
  if constexpr (!Visit::reads) visit("conclusions", crossovers_json(sweep));
}

json to_json(const Sweep& sweep) { return json_fields::of_fields(sweep); }

Result<Sweep> sweep_from(const json& object) {
  const json& points = json_reading::part(object, "points");
  if (!points.is_array() || points.size() > most_points)
    return make_error(ErrorCode::io, "A sweep holds no list of points.");
  auto sweep = json_fields::lenient<Sweep>(object);
  std::stable_sort(sweep.points.begin(), sweep.points.end(),
                   [](const auto& a, const auto& b) { return a.value < b.value; });
  return sweep;
}

}  // namespace klab
