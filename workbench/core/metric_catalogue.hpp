// The metric catalogue: every counter Kernel Lab can show, once, with meaning, unit and sources.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace klab {

/// Which way is better; `neither` for facts such as a clock.
enum class Direction { lower, higher, neither };

/// One metric. Where it comes from is decided by which of the source fields are filled.
struct Metric {
  std::string_view
      name;  ///< catalogue name used in lab.toml, e.g. "global_load_sectors_per_request"
  std::string_view label;  ///< "Sectors per global load request"
  std::string_view unit;   ///< "sectors", "byte", "%", ...
  std::string_view group;  ///< "triage", "roofline", "coalescing", "shared", "local", "divergence",
                           ///< "overhead", "compiler"
  Direction better = Direction::neither;
  std::optional<double> ideal;  ///< the value a perfect kernel shows, if there is one
  std::string_view meaning;     ///< one or two sentences for a newcomer
  std::string_view try_next;    ///< what to try when it is bad
  std::string_view cupti;       ///< Range Profiler expression, or a formula over several (see
                                ///< cupti_inputs); empty if none
  std::string_view simulator;   ///< formula over the simulator's counts; empty if it cannot know
  std::string_view compiler;  ///< field of KernelReport, summed or max over kernels; empty if none
  std::string_view trace;     ///< name in the trace's counts; empty if none
};

std::span<const Metric> metric_catalogue();
const Metric* find_metric(std::string_view name);

/// The CUPTI base metrics that `metric` needs on `chip` ("GH100", ...): names or formula inputs,
/// with per-family aliases applied. Empty if the chip lacks it (the reason is shown as "not
/// available on <chip>").
std::vector<std::string> cupti_inputs(const Metric& metric, std::string_view chip);

/// Evaluates the metric's CUPTI formula over collected base values; nullopt if any input is missing
/// or not finite. `least_bytes` is the lab's minimum traffic, for metrics relative to it.
struct BaseValue {
  std::string name;
  double value;
};
std::optional<double> evaluate_cupti(const Metric& metric, std::string_view chip,
                                     std::span<const BaseValue> values,
                                     std::optional<double> least_bytes);
/// The same over the simulator's counts or the trace's.
std::optional<double> evaluate_simulator(const Metric& metric, std::span<const BaseValue> values,
                                         std::optional<double> least_bytes);

/// The default set: triage, roofline and coalescing (48 base metrics, 5 passes on GH100).
std::vector<std::string_view> default_metrics();

/// The `ncu` command that shows the metric for one launch of a program.
std::string ncu_command(const Metric& metric, std::string_view chip);

}  // namespace klab
