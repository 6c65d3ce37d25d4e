// Causes, work, and what else is shown.
#include "core/check/phase_requests.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "core/build/calls/library_symbols.hpp"
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

/// Whether counters alone would say that work was left out. A GPU's see nothing of what the
/// kernels of a graph compute, and whether there was one is for the trace to say.
bool misses_work(const CheckResult& result, const Evidence& evidence) {
  const auto counters = result.counters.find(VariantName::mine);
  if (!evidence.counted_least || counters == result.counters.end()) return false;
  const auto work = counted_work(*evidence.counted_least, counters->second);
  return std::any_of(work.begin(), work.end(),
                     [](const CountedWork& one) { return one.falls_short(); });
}

bool counts_sectors(const Lab& lab) {
  return cause_metrics(lab).contains(std::string(sectors_metric));
}

/// Whether a copy may have moved bytes that the cause counts.
bool may_move_beside_kernels(const Evidence& evidence) {
  return counts_sectors(*evidence.lab) && !evidence.counted_shape.one_kernel;
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

bool took_another_time(const CheckResult& result, const Evidence& evidence) {
  const auto counters = result.counters.find(VariantName::mine);
  const auto times = result.timing.variants.find(VariantName::mine);
  if (counters == result.counters.end() || times == result.timing.variants.end() ||
      !times->second.seconds || evidence.lab->timing != TimingMode::device)
    return false;
  const auto profiled = counters->second.find("profiled_duration");
  return profiled != counters->second.end() && profiled->second.value &&
         !same_duration(*profiled->second.value, times->second.seconds->median,
                        evidence.counted_shape);
}

bool may_need_trace(const Lab& lab, const std::filesystem::path& library) {
  return counts_sectors(lab) && moves_beside_kernels(library);
}

bool needs_trace(const CheckResult& result, const Evidence& evidence) {
  return misses_work(result, evidence) || took_another_time(result, evidence) ||
         may_move_beside_kernels(evidence);
}

}  // namespace klab
