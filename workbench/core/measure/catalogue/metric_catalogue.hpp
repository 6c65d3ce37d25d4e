// The metric catalogue: every counter Kernel Lab can show, once, with meaning, unit and sources.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/verdict/check_result.hpp"

namespace klab {

/// Which way is better; `neither` for facts such as a clock.
enum class Direction { lower, higher, neither };

/// One metric. Where it comes from is decided by which of the source fields are filled; each of
/// them is a formula (core/measure/formula.hpp) over the names that the source counts.
struct Metric {
  /// catalogue name used in lab.toml, e.g. "global_load_sectors_per_request"
  std::string_view name;
  std::string_view label;       ///< "Sectors per global load request"
  std::string_view unit;        ///< as format_value() reads it: "s", "byte", "%", "sectors", ...
  std::string_view group = {};  ///< "triage", "roofline", ...: that of the table it stands in
  Direction better = Direction::neither;
  std::optional<double> ideal = {};  ///< the value a perfect kernel shows, if there is one
  std::string_view meaning;          ///< one or two sentences for a newcomer
  std::string_view try_next = {};    ///< what to try when it is bad
  std::string_view cupti = {};       ///< over Range Profiler metrics and least_bytes
  std::string_view simulator = {};   ///< over the simulator's counts; empty if it cannot know
  std::string_view compiler = {};    ///< over the fields of KernelReport, in bytes or registers
  std::string_view trace = {};       ///< over the trace's counts
  bool agreement = false;            ///< from what a measurement reports, beside the truth
};

std::span<const Metric> metric_catalogue();
/// nullptr for an unknown name.
const Metric* find_metric(std::string_view name);

/// The CUPTI base metrics that `metric` needs on `chip` ("GH100", ...): names or formula inputs,
/// with per-family aliases applied. Empty if it has no CUPTI source or the chip lacks it (the
/// reason is shown as "not available on <chip>").
std::vector<std::string> cupti_inputs(const Metric& metric, std::string_view chip);

/// A count that was obtained, by the name its source gives it.
struct BaseValue {
  std::string name;
  double value;
};
/// Evaluates the metric's formula for one source over what that source counted; nullopt if the
/// metric has no such source, an input is missing or not finite, or a divisor is zero (a ratio per
/// request without requests). `least_bytes` is the lab's minimum traffic, for metrics relative to
/// it.
std::optional<double> evaluate_cupti(const Metric& metric, std::string_view chip,
                                     std::span<const BaseValue> values,
                                     std::optional<double> least_bytes);
std::optional<double> evaluate_simulator(const Metric& metric, std::span<const BaseValue> values,
                                         std::optional<double> least_bytes);
/// Over all kernels of one file: the sum for spills, the largest for everything else; nullopt also
/// if there are no kernels.
std::optional<double> evaluate_compiler(const Metric& metric,
                                        std::span<const KernelReport> kernels);

/// True for a unit that format_value() does not scale: the name of what is counted, or none.
bool is_count(std::string_view unit);
/// A counter that changed by less than a fiftieth has not moved.
bool has_moved(double from, double to);
/// How a value stands to the flawed kernel's: 1 better, -1 worse, 0 the same or no matter.
int direction(const Metric& metric, const CounterValue* flawed, const CounterValue* value);

/// The default set: triage, roofline and coalescing (48 base metrics, 5 passes on GH100).
std::vector<std::string_view> default_metrics();

/// The `ncu` command that shows the metric's counters for the first launch of a program, with
/// caches flushed and clocks at base as `ncu` does by default; empty if it has no CUPTI source on
/// `chip`.
std::string ncu_command(const Metric& metric, std::string_view chip);

}  // namespace klab
