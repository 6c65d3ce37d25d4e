// Flawed, mine and optimized side by side: time, ratio and counters.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "cli/views/verdict_view.hpp"
#include "core/base/text.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/format.hpp"
#include "core/measure/statistics.hpp"
#include "core/verdict/lookup.hpp"

namespace klab::cli {
namespace {

const std::array<VariantName, 3> all_columns = {VariantName::flawed, VariantName::mine,
                                                VariantName::optimized};

/// What was checked stands in the middle; where that is one of the course's own, it stands once.
std::vector<VariantName> columns_of(const CheckResult& result) {
  std::vector<VariantName> columns(all_columns.begin(), all_columns.end());
  if (result.variant != VariantName::mine) std::erase(columns, result.variant);
  return columns;
}

/// The tone of a value against the flawed kernel's: better, worse, or no matter.
Tone against(const Metric* metric, const CounterValue* flawed, const CounterValue* other) {
  const int better = metric ? direction(*metric, flawed, other) : 0;
  return better > 0 ? Tone::good : better < 0 ? Tone::bad : Tone::plain;
}

/// A value without a unit that its label already says ("sectors"), and short enough for a column.
std::string value_text(const CounterValue* counter, const Metric* metric) {
  constexpr double long_count = 1e8;
  const auto value = counter ? counter->value : std::nullopt;
  const std::string_view unit = metric ? metric->unit : "";
  if (!is_count(unit)) return format_value(value, unit);
  if (value && *value >= long_count) return format_count(std::round(*value / 1e6)) + " M";
  return format_count(value);
}

void add_times(Table& table, const CheckResult& result) {
  std::vector<Cell> times = {{"Time, median"}}, intervals = {{"95 % interval"}},
                    ratios = {{"Ratio to flawed"}};
  const VariantTimes* flawed = find_in(result.timing.variants, VariantName::flawed);
  for (const VariantName& variant : columns_of(result)) {
    const VariantTimes* own = find_in(result.timing.variants, variant);
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

/// What the lab is about: the counters of its causes.
bool is_taught(const CheckResult& result, const std::string& name) {
  return std::any_of(result.gates.begin(), result.gates.end(), [&](const Gate& gate) {
    return gate.name == GateName::cause && gate.subject == name;
  });
}

/// Whether a kernel shows another value than the flawed one, or none where another has one.
bool differs(const CheckResult& result, const std::string& name) {
  const CounterValue* flawed = find_counter(result.counters, VariantName::flawed, name);
  const auto moved = [&](const VariantName& variant) {
    const CounterValue* other = find_counter(result.counters, variant, name);
    if (other == nullptr || !other->value) return false;
    return flawed == nullptr || !flawed->value || has_moved(*flawed->value, *other->value);
  };
  return moved(VariantName::mine) || moved(VariantName::optimized);
}

bool has_value(const CheckResult& result, const std::string& name) {
  return std::any_of(all_columns.begin(), all_columns.end(), [&](const VariantName& variant) {
    const CounterValue* counter = find_counter(result.counters, variant, name);
    return counter != nullptr && counter->value;
  });
}

/// The counters of any variant in the order in which they are shown.
struct Rows {
  std::vector<std::string> taught, moved, same;
  std::map<std::string, std::vector<std::string>> missing;  ///< labels by reason
};

std::string metric_label(const std::string& name) {
  const Metric* metric = find_metric(name);
  return metric ? std::string(metric->label) : name;
}

/// By the catalogue's order, then those that it does not know.
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

Rows rows_of(const CheckResult& result) {
  Rows rows;
  for (const std::string& name : counter_names(result)) {
    for (const VariantName& variant : all_columns)
      if (const CounterValue* own = find_counter(result.counters, variant, name);
          own != nullptr && !own->value && !own->reason.empty()) {
        auto& labels = rows.missing[shell_words(words_of(own->reason))];
        if (labels.empty() || labels.back() != metric_label(name))
          labels.push_back(metric_label(name));
      }
    // A row without any number is named with its reason instead.
    if (!has_value(result, name)) continue;
    auto& kind = is_taught(result, name) ? rows.taught
                 : differs(result, name) ? rows.moved
                                         : rows.same;
    kind.push_back(name);
  }
  return rows;
}

void add_counter(Table& table, const CheckResult& result, const std::string& name) {
  const Metric* metric = find_metric(name);
  const CounterValue* flawed = find_counter(result.counters, VariantName::flawed, name);
  std::vector<Cell> row = {{metric_label(name)}};
  std::string source;
  for (const VariantName& variant : columns_of(result)) {
    const CounterValue* own = find_counter(result.counters, variant, name);
    row.push_back(
        {value_text(own, metric), own == flawed ? Tone::plain : against(metric, flawed, own)});
    if (own && own->value) source = to_string(own->source);
  }
  row.push_back({source, Tone::faint});
  table.add(std::move(row));
}

/// Rows under headings of their groups.
void add_counters(Table& table, const CheckResult& result, const std::vector<std::string>& names) {
  std::string group;
  for (const std::string& name : names) {
    const Metric* metric = find_metric(name);
    if (metric && group != metric->group) {
      group = metric->group;
      table.add_line({group, Tone::accent});
    }
    add_counter(table, result, name);
  }
}

}  // namespace

std::string view_comparison(const Terminal& terminal, const CheckResult& result, bool all) {
  const Rows rows = rows_of(result);
  // What did not come to counting or timing has nothing to be put side by side.
  if (result.timing.variants.empty() && rows.taught.empty() && rows.moved.empty() && !all)
    return view_heading(terminal, result);
  const std::vector<VariantName> columns = columns_of(result);
  Table table("l" + std::string(columns.size(), 'r') + "l");
  std::vector<Cell> heads = {{"", Tone::faint}};
  for (const VariantName& variant : columns)
    heads.push_back(
        {(variant == VariantName::mine ? result.variant : variant).shown(), Tone::strong});
  heads.push_back({"source", Tone::faint});
  table.add(std::move(heads));
  // The simulator never tells a time; a row of dashes would say less than the gates do.
  if (!result.timing.variants.empty()) add_times(table, result);
  if (!rows.taught.empty()) table.add_line({"what this lab is about", Tone::accent});
  for (const std::string& name : rows.taught) add_counter(table, result, name);
  add_counters(table, result, rows.moved);
  if (all && !rows.same.empty()) {
    table.add_line({"the same for all", Tone::accent});
    for (const std::string& name : rows.same) add_counter(table, result, name);
  }
  std::string text = view_heading(terminal, result) + table.text(terminal);
  if (!all && !rows.same.empty())
    text +=
        "\n" + paragraph(terminal,
                         format_count(static_cast<double>(rows.same.size())) +
                             (rows.same.size() == 1 ? " more counter is" : " more counters are") +
                             " the same for all kernels: `--all` shows them.",
                         2, Tone::faint);
  for (const auto& [reason, labels] : rows.missing) {
    std::string list;
    for (const std::string& label : labels) list += (list.empty() ? "" : ", ") + label;
    std::string why = reason;
    if (why.back() == '.') why.pop_back();
    text += "\n" + paragraph(terminal, "Not obtained (" + why + "): " + list, 2, Tone::faint);
  }
  return text;
}

}  // namespace klab::cli
