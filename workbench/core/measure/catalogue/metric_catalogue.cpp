// The metric catalogue: finding and evaluating metrics, and what each chip family calls its
// counters.
#include "core/measure/catalogue/metric_catalogue.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "core/measure/catalogue/tables.hpp"
#include "core/measure/formula.hpp"

namespace klab {
namespace {

/// A counter that a chip family lacks or knows by another formula. Families are beginnings of CUPTI
/// chip names. Found with, and kept true by, tests/runner/cupti/metric_names.tests.cpp.
struct Alias {
  std::string_view counter;
  std::array<std::string_view, 5> families;
  std::string_view instead;  ///< empty: the family has nothing like it
};

constexpr Alias aliases[] = {
    // Before Hopper there is no distributed shared memory in this counter's name.
    {"l1tex__lsu_writeback_active_mem_lgds.sum",
     {"TU1", "GA1", "AD1"},
     "l1tex__lsu_writeback_active_mem_lg.sum"},
    {"l1tex__lsu_writeback_active_mem_lgds.sum.peak_sustained",
     {"TU1", "GA1", "AD1"},
     "l1tex__lsu_writeback_active_mem_lg.sum.peak_sustained"},
    {"dram__bytes_read.sum", {"GB2"}, "dram__bytes_op_read.sum"},
    {"dram__bytes_write.sum", {"GB2"}, "dram__bytes_op_write.sum"},
    // Tensor operations by type: only Hopper counts fp16 in one, Turing counts the wide types in
    // one.
    {"sm__ops_path_tensor_src_fp16.sum",
     {"TU1"},
     "sm__ops_path_tensor_src_fp16_dst_fp16.sum + "
     "sm__ops_path_tensor_src_fp16_bf16_tf32_dst_fp32.sum"},
    {"sm__ops_path_tensor_src_fp16.sum",
     {"GA1", "AD1", "GB1", "GB2"},
     "sm__ops_path_tensor_src_fp16_dst_fp16.sum + sm__ops_path_tensor_src_fp16_dst_fp32.sum"},
    {"sm__ops_path_tensor_src_bf16_dst_fp32.sum", {"TU1"}, ""},
    {"sm__ops_path_tensor_src_tf32_dst_fp32.sum", {"TU1"}, ""},
    // Before Hopper all that this pipe moves is local or global.
    {"l1tex__t_sectors_pipe_lsu_mem_lg.sum",
     {"TU1", "GA1", "AD1"},
     "l1tex__t_sectors_pipe_lsu.sum"},
    // Only the data-centre chips of Ampere and Hopper count half precision on the tensor pipe; the
    // others have nothing to take off.
    {"sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum",
     {"GA100"},
     "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum"},
    {"sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum",
     {"TU1", "GA1", "AD1", "GB1", "GB2"},
     "0"},
    // Asynchronous copies to shared memory begin with Ampere.
    {"smsp__sass_inst_executed_op_ldgsts.sum", {"TU1"}, "0"},
    // Bulk copies (TMA) begin with Hopper: before it there are none to count.
    {"l1tex__m_xbar2l1tex_read_sectors_pipe_tma.sum", {"TU1", "GA1", "AD1"}, "0"},
    {"l1tex__m_l1tex2xbar_write_sectors_pipe_tma.sum", {"TU1", "GA1", "AD1"}, "0"},
    // So do clusters, whose blocks reach each other's shared memory.
    {"l1tex__t_sectors_pipe_lsu_mem_dshared.sum", {"TU1", "GA1", "AD1"}, "0"},
    {"sm__inst_executed_pipe_tensor_op_gmma.sum", {"TU1", "GA1", "AD1", "GB1", "GB2"}, ""},
    {"smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio",
     {"TU1", "GA1", "AD1", "GB1", "GB2"},
     ""},
    {"smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio", {"GB1", "GB2"}, ""},
};

constexpr std::string_view least_bytes_name = "least_bytes";

const Alias* find_alias(std::string_view counter, std::string_view chip) {
  for (const Alias& alias : aliases) {
    if (alias.counter != counter) continue;
    for (const auto family : alias.families) {
      if (!family.empty() && chip.starts_with(family)) return &alias;
    }
  }
  return nullptr;
}

/// The metric's CUPTI formula in the names of `chip`; no formula at all if the chip lacks one of
/// its counters, as nothing then stands in its place.
std::string cupti_formula(const Metric& metric, std::string_view chip) {
  return replace_inputs(metric.cupti, [&](std::string_view counter) {
    const Alias* alias = find_alias(counter, chip);
    return std::string(alias == nullptr ? counter : alias->instead);
  });
}

std::optional<double> evaluate(std::string_view formula, std::span<const BaseValue> values,
                               std::optional<double> least_bytes) {
  return evaluate_formula(formula, [&](std::string_view name) -> std::optional<double> {
    if (name == least_bytes_name) return least_bytes;
    for (const BaseValue& base : values) {
      if (base.name == name) return base.value;
    }
    return std::nullopt;
  });
}

std::optional<double> report_field(const KernelReport& kernel, std::string_view field) {
  if (field == "registers") return kernel.registers;
  if (field == "stack_bytes") return static_cast<double>(kernel.stack_bytes);
  if (field == "spill_store_bytes") return static_cast<double>(kernel.spill_store_bytes);
  if (field == "spill_load_bytes") return static_cast<double>(kernel.spill_load_bytes);
  if (field == "static_shared_bytes") return static_cast<double>(kernel.static_shared_bytes);
  return std::nullopt;
}

}  // namespace

std::span<const Metric> metric_catalogue() {
  static const std::vector<Metric> all = [] {
    const std::pair<std::string_view, std::span<const Metric>> groups[] = {
        {"triage", catalogue::triage_metrics()},
        {"roofline", catalogue::roofline_metrics()},
        {"memory", catalogue::device_memory_metrics()},
        {"memory", catalogue::memory_metrics()},
        {"memory", catalogue::thread_metrics()},
        {"coalescing", catalogue::coalescing_metrics()},
        {"shared", catalogue::shared_metrics()},
        {"local", catalogue::local_metrics()},
        {"divergence", catalogue::divergence_metrics()},
        {"tensor", catalogue::tensor_metrics()},
        {"stalls", catalogue::stall_metrics()},
        {"overhead", catalogue::overhead_metrics()},
        {"compiler", catalogue::compiler_metrics()},
    };
    std::vector<Metric> metrics;
    for (const auto& [group, rows] : groups)
      for (Metric metric : rows) {
        metric.group = group;
        metrics.push_back(metric);
      }
    return metrics;
  }();
  return all;
}

const Metric* find_metric(std::string_view name) {
  const auto all = metric_catalogue();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> cupti_inputs(const Metric& metric, std::string_view chip) {
  auto inputs = formula_inputs(cupti_formula(metric, chip));
  std::erase(inputs, least_bytes_name);
  return inputs;
}

std::optional<double> evaluate_cupti(const Metric& metric, std::string_view chip,
                                     std::span<const BaseValue> values,
                                     std::optional<double> least_bytes) {
  return evaluate(cupti_formula(metric, chip), values, least_bytes);
}

std::optional<double> evaluate_simulator(const Metric& metric, std::span<const BaseValue> values,
                                         std::optional<double> least_bytes) {
  return evaluate(metric.simulator, values, least_bytes);
}

std::optional<double> evaluate_compiler(const Metric& metric,
                                        std::span<const KernelReport> kernels) {
  const bool summed = metric.compiler.find("spill") != metric.compiler.npos;
  std::optional<double> result;
  for (const KernelReport& kernel : kernels) {
    const auto value = evaluate_formula(
        metric.compiler, [&](std::string_view field) { return report_field(kernel, field); });
    if (!value) return std::nullopt;
    result = !result ? *value : summed ? *result + *value : std::max(*result, *value);
  }
  return result;
}

bool is_count(std::string_view unit) {
  constexpr std::string_view scaled[] = {"s", "byte", "byte/s", "flop", "flop/s", "Hz", "%", "x"};
  return std::find(std::begin(scaled), std::end(scaled), unit) == std::end(scaled);
}

bool has_moved(double from, double to) { return std::abs(to - from) > 0.02 * std::abs(from); }

int direction(const Metric& metric, const CounterValue* flawed, const CounterValue* value) {
  const bool known = flawed && flawed->value && value && value->value;
  if (!known || metric.better == Direction::neither || !has_moved(*flawed->value, *value->value))
    return 0;
  return (*value->value > *flawed->value) == (metric.better == Direction::higher) ? 1 : -1;
}

std::vector<std::string_view> default_metrics() {
  std::vector<std::string_view> names;
  for (const Metric& metric : metric_catalogue()) {
    if (metric.group == "triage" || metric.group == "roofline" || metric.group == "coalescing") {
      names.push_back(metric.name);
    }
  }
  return names;
}

std::string ncu_command(const Metric& metric, std::string_view chip) {
  const auto inputs = cupti_inputs(metric, chip);
  if (inputs.empty()) return {};
  std::string counters;
  for (const auto& input : inputs) counters += (counters.empty() ? "" : ",") + input;
  return "ncu --metrics " + counters +
         " --cache-control all --clock-control base --launch-count 1 ./program";
}

}  // namespace klab
