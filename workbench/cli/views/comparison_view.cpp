// Flawed, mine and optimized side by side: time, ratio and every counter.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "cli/views/verdict_view.hpp"
#include "core/base/text.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/format.hpp"
#include "core/measure/statistics.hpp"

namespace klab::cli {
namespace {

constexpr std::array<const char*, 3> columns = {"flawed", "candidate", "optimized"};

const VariantTimes* times_of(const CheckResult& result, const char* variant) {
  const auto found = result.timing.variants.find(variant);
  return found == result.timing.variants.end() ? nullptr : &found->second;
}

const CounterValue* counter_of(const CheckResult& result, const char* variant,
                               const std::string& name) {
  const auto variants = result.counters.find(variant);
  if (variants == result.counters.end()) return nullptr;
  const auto found = variants->second.find(name);
  return found == variants->second.end() ? nullptr : &found->second;
}

/// The tone of a value against the flawed kernel's: better, worse, or no matter.
Tone against(const Metric* metric, const CounterValue* flawed, const CounterValue* other) {
  if (metric == nullptr || metric->better == Direction::neither || flawed == nullptr ||
      other == nullptr || !flawed->value || !other->value)
    return Tone::plain;
  // A counter that moved by less than a fiftieth has not moved.
  const double change = *other->value - *flawed->value;
  if (std::abs(change) <= 0.02 * std::abs(*flawed->value)) return Tone::plain;
  const bool better = (change < 0) == (metric->better == Direction::lower);
  return better ? Tone::good : Tone::bad;
}

/// A value without a unit that its label already says ("sectors"), and short enough for a column.
std::string value_text(const CounterValue* counter, const Metric* metric) {
  constexpr std::array<std::string_view, 8> scaled = {"s",      "byte", "byte/s", "flop",
                                                      "flop/s", "Hz",   "%",      "x"};
  constexpr double long_count = 1e8;
  const auto value = counter ? counter->value : std::nullopt;
  const std::string_view unit = metric ? metric->unit : "";
  if (std::find(scaled.begin(), scaled.end(), unit) != scaled.end())
    return format_value(value, unit);
  if (value && *value >= long_count) return format_count(std::round(*value / 1e6)) + " M";
  return format_count(value);
}

void add_times(Table& table, const CheckResult& result) {
  std::vector<Cell> times = {{"Time, median"}}, intervals = {{"95 % interval"}},
                    ratios = {{"Ratio to flawed"}};
  const VariantTimes* flawed = times_of(result, "flawed");
  for (const char* variant : columns) {
    const VariantTimes* own = times_of(result, variant);
    const auto seconds = own ? own->seconds : std::nullopt;
    times.push_back({format_seconds(seconds ? std::optional(seconds->median) : std::nullopt)});
    const auto half_width = seconds ? relative_half_width(*seconds) : std::nullopt;
    intervals.push_back(
        {half_width ? "± " + format_percent(100 * *half_width) : std::string(missing_text),
         Tone::faint});
    const auto ratio = flawed && own && own != flawed
                           ? ratio_interval(flawed->samples_s, own->samples_s)
                           : std::nullopt;
    ratios.push_back({own && own == flawed
                          ? "1x"
                          : format_ratio(ratio ? std::optional(ratio->median) : std::nullopt)});
  }
  for (auto* row : {&times, &intervals, &ratios}) {
    row->push_back({flawed ? "measured" : "", Tone::faint});
    table.add(std::move(*row));
  }
}

/// All counters of any variant, in the catalogue's order, then those it does not know.
std::vector<std::string> counter_names(const CheckResult& result) {
  std::map<std::string, bool> present;
  for (const auto& [variant, counters] : result.counters)
    for (const auto& [name, value] : counters) present[name] = true;
  std::vector<std::string> names;
  for (const Metric& metric : metric_catalogue())
    if (present.erase(std::string(metric.name)) > 0) names.emplace_back(metric.name);
  for (const auto& [name, unused] : present) names.push_back(name);
  return names;
}

}  // namespace

std::string view_comparison(const Terminal& terminal, const CheckResult& result) {
  Table table("lrrrl");
  table.add({{"", Tone::faint},
             {"flawed", Tone::strong},
             {printable(result.variant), Tone::strong},
             {"optimized", Tone::strong},
             {"source", Tone::faint}});
  // The simulator never tells a time; a row of dashes would say less than the gates do.
  if (!result.timing.variants.empty()) add_times(table, result);
  std::string group;
  std::map<std::string, std::vector<std::string>> missing;  // reason -> labels
  for (const std::string& name : counter_names(result)) {
    const Metric* metric = find_metric(name);
    const std::string label = metric ? std::string(metric->label) : printable(name);
    const CounterValue* flawed = counter_of(result, "flawed", name);
    std::vector<Cell> row = {{label}};
    const CounterValue* known = nullptr;
    for (const char* variant : columns) {
      const CounterValue* own = counter_of(result, variant, name);
      row.push_back(
          {value_text(own, metric), own == flawed ? Tone::plain : against(metric, flawed, own)});
      if (own && own->value) known = own;
      if (own && !own->value && !own->reason.empty()) {
        auto& labels = missing[own->reason];
        if (labels.empty() || labels.back() != label) labels.push_back(label);
      }
    }
    // A row without any number is named below with its reason instead.
    if (known == nullptr) continue;
    if (metric && group != metric->group) {
      group = metric->group;
      table.add_line({group, Tone::accent});
    }
    row.push_back({std::string(to_string(known->source)), Tone::faint});
    table.add(std::move(row));
  }
  std::string text = view_heading(terminal, result) + table.text(terminal);
  for (const auto& [reason, labels] : missing) {
    std::string list;
    for (const std::string& label : labels) list += (list.empty() ? "" : ", ") + label;
    std::string why = printable(reason);
    if (why.back() == '.') why.pop_back();
    text += "\n" + paragraph(terminal, "Not obtained (" + why + "): " + list, 2, Tone::faint);
  }
  return text;
}

}  // namespace klab::cli
