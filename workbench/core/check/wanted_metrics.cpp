// Causes, work, and what else is shown.
#include "core/check/wanted_metrics.hpp"

#include <array>
#include <set>

#include "core/measure/catalogue/metric_catalogue.hpp"

namespace klab {
namespace {

/// What tells whether a launch did the task's work, and whether it is the one that was timed.
constexpr std::array work_metrics = {"flop_fp32",        "flop_fp64",        "flop_fp16",
                                     "tensor_flop_fp16", "tensor_flop_bf16", "tensor_flop_tf32",
                                     "tensor_flop",      "profiled_duration"};

bool has_source(const Metric& metric, Phase phase, bool simulated) {
  if (phase == Phase::agreement) return metric.agreement;
  if (simulated) return !metric.simulator.empty();
  return phase == Phase::trace ? !metric.trace.empty() : !metric.cupti.empty();
}

}  // namespace

std::vector<std::string> wanted_metrics(const Lab& lab, Phase phase, bool to_compare,
                                        bool simulated) {
  std::set<std::string> names = cause_metrics(lab);
  if (phase == Phase::counters) names.insert(work_metrics.begin(), work_metrics.end());
  if (to_compare && phase == Phase::counters && !simulated)
    for (const std::string_view name : default_metrics()) names.insert(std::string(name));
  else if (to_compare || simulated || phase != Phase::counters)
    for (const Metric& metric : metric_catalogue()) names.insert(std::string(metric.name));
  std::vector<std::string> wanted;
  for (const std::string& name : names)
    if (const Metric* metric = find_metric(name); metric && has_source(*metric, phase, simulated))
      wanted.push_back(name);
  return wanted;
}

}  // namespace klab
