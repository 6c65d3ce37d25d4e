// One launch, one report, and the catalogue's formulas over it.
#include "runner/simulated/counter_source_simulator.hpp"

#include <algorithm>

#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/formula.hpp"

namespace klab::runner {
namespace {

/// A modelled count of none, such as of local memory, models nothing beside counts that are exact.
Source source_of(const std::vector<std::string>& inputs, const SimulatorReport& report) {
  const auto is_modelled = [&](const std::string& input) {
    const auto label = report.labels.find(input);
    return label != report.labels.end() && label->second == Source::modelled;
  };
  const auto happened = [&](const std::string& input) {
    return find_count(report, input).value_or(0) != 0;
  };
  if (!inputs.empty() && std::all_of(inputs.begin(), inputs.end(), is_modelled))
    return Source::modelled;
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const std::string& i) { return is_modelled(i) && happened(i); })
             ? Source::modelled
             : Source::counted;
}

SimulatorReport counted_launch(const Countable& countable) {
  countable.prepare();
  begin_simulation();
  countable.launch();
  countable.wait();
  return simulator_report();
}

bool keeps_memory(const SimulatorReport& report) {
  return find_count(report, "kept_allocations").value_or(0) > 0;
}

}  // namespace

CounterValue simulated_value(const std::string& name, const SimulatorReport& report,
                             double least_bytes) {
  CounterValue value;
  value.source = Source::counted;
  const Metric* metric = find_metric(name);
  if (!metric) {
    value.reason = {MissingKind::unknown_metric, name};
    return value;
  }
  if (metric->simulator.empty()) {
    value.reason = {MissingKind::needs_gpu};
    return value;
  }
  value.source = source_of(formula_inputs(metric->simulator), report);
  value.value = evaluate_simulator(*metric, report.counts, least_bytes);
  if (!value.value) value.reason = {MissingKind::nothing_counted};
  return value;
}

record::CounterSet SimulatorCounters::count(const Countable& countable) {
  SimulatorReport report = counted_launch(countable);
  // What the first launch made for all that follow is no part of each.
  if (keeps_memory(report)) report = counted_launch(countable);
  for (BaseValue& count : report.counts)
    if (count.name == "host_synchronizations") count.value -= 1;  // the harness's own
  const auto bytes = [&](const char* way) { return find_count(report, way).value_or(0); };
  report.counts.push_back(
      {"bytes_across", bytes_across(countable.least, bytes("host_to_device_bytes"),
                                    bytes("device_to_host_bytes"))});
  lines_ = std::move(report.lines);
  for (LineHeat& line : lines_) line.variant = countable.variant;
  record::CounterSet set;
  set.variant = countable.variant;
  for (const std::string& name : metrics_)
    set.values[name] = simulated_value(name, report, countable.least.bytes());
  return set;
}

}  // namespace klab::runner
