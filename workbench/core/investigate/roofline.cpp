// Measuring a roofline: ceilings, then the clock, then the counters, each in a process of its own.
#include "core/investigate/roofline.hpp"

#include <algorithm>
#include <array>

#include "core/base/names.hpp"
#include "core/check/prepared_lab.hpp"
#include "core/measure/statistics.hpp"

namespace klab {
namespace {

constexpr std::pair<MemoryLevel, std::string_view> level_names[] = {
    {MemoryLevel::dram, "dram"},
    {MemoryLevel::l2, "l2"},
    {MemoryLevel::l1, "l1"},
    {MemoryLevel::requested, "requested"}};
constexpr std::pair<Arithmetic, std::string_view> unit_names[] = {{Arithmetic::fp32, "fp32"},
                                                                  {Arithmetic::fp16, "fp16"},
                                                                  {Arithmetic::fp64, "fp64"},
                                                                  {Arithmetic::tensor, "tensor"}};

/// The catalogue's metric that counts a level's bytes or a unit's operations.
constexpr std::pair<MemoryLevel, std::string_view> level_metrics[] = {
    {MemoryLevel::dram, "dram_bytes"},
    {MemoryLevel::l2, "l2_bytes"},
    {MemoryLevel::l1, "l1_bytes"},
    {MemoryLevel::requested, "requested_bytes"}};
constexpr std::pair<Arithmetic, std::string_view> unit_metrics[] = {
    {Arithmetic::fp32, "flop_fp32"},
    {Arithmetic::fp16, "flop_fp16"},
    {Arithmetic::fp64, "flop_fp64"}};
/// The hardware counts tensor operations by the type of their inputs.
constexpr std::array<std::string_view, 3> tensor_metrics = {"tensor_flop_fp16", "tensor_flop_bf16",
                                                            "tensor_flop_tf32"};
constexpr std::string_view tensor_work = "tensor_instructions";

CounterValue counter_of(const Counters& counters, std::string_view name) {
  const auto found = counters.find(std::string(name));
  if (found != counters.end()) return found->second;
  return {.value = std::nullopt, .reason = {MissingKind::not_collected}};
}

/// Takes the phases' answers into the kernels of one roofline.
class Finder {
 public:
  Finder(const PreparedLab& lab, const OnCheckEvent& on_event, const std::atomic<bool>& canceled)
      : lab_(lab), on_event_(on_event), canceled_(canceled) {
    for (const auto& [variant, built] : lab.plugins) found_.kernels.push_back({.variant = variant});
  }

  Result<Roofline> run() {
    const bool simulated = lab_.chosen.simulator;
    if (!simulated) {
      measure_ceilings();
      time();
    }
    if (!canceled_) count(first_metrics());
    if (!canceled_ && !simulated && uses_tensor_cores())
      count({tensor_metrics.begin(), tensor_metrics.end()});
    if (!any_counted() && error_) return *error_;
    if (error_) found_.notes.push_back(error_->what + " " + error_->remedy);
    if (simulated)
      found_.notes.emplace_back(
          "Counted by the simulator: operations and requested bytes are those of the PTX. Rates, "
          "ceilings and the traffic behind the caches need a GPU.");
    return std::move(found_);
  }

 private:
  RooflineKernel* kernel(const VariantName& variant) {
    const auto at = std::find_if(found_.kernels.begin(), found_.kernels.end(),
                                 [&](const auto& one) { return one.variant == variant; });
    return at == found_.kernels.end() ? nullptr : &*at;
  }

  void measure_ceilings() {
    const auto say = [&](const std::string& text) {
      if (on_event_) on_event_({CheckEvent::Kind::phase_started, Phase::ceilings, {}, text});
    };
    found_.wgmma = lab_.chosen.capability() >= ComputeCapability(9, 0);
    found_.host_clock = lab_.lab.timing == TimingMode::wall;
    if (auto ceilings = ceilings_of(lab_.tree, lab_.chosen.device, true, say, &canceled_))
      found_.ceilings = std::move(*ceilings);
    else
      found_.notes.push_back(ceilings.error().what + " " + ceilings.error().remedy);
  }

  void time() {
    if (canceled_) return;
    const PhaseOutcome outcome = lab_.run(lab_.request(Phase::time), on_event_, canceled_);
    note_error(outcome);
    const auto ends = outcome.all<record::Timed>();
    if (ends.empty()) return;  // broken off: nothing is concluded from half a run
    std::map<VariantName, std::vector<double>> samples;
    for (const auto& sample : outcome.all<record::Sample>())
      samples[sample.variant].push_back(sample.seconds);
    for (RooflineKernel& one : found_.kernels) one.seconds = median_interval(samples[one.variant]);
    const record::Timed& timed = ends.back();
    if (timed.launches_per_sample > 1)
      found_.notes.push_back("Timed in batches of " + std::to_string(timed.launches_per_sample) +
                             " launches, because one is too short; what fits the L2 stays there "
                             "from one to the next, while the counters saw a cold L2.");
    for (const std::string& reason : timed.throttle_reasons)
      found_.notes.push_back("The GPU was held back while timing: " + reason + ".");
  }

  std::vector<std::string> first_metrics() const {
    if (lab_.chosen.simulator)
      return {"requested_bytes", "flop_fp32", "flop_fp16", "flop_fp64", "tensor_flop"};
    std::vector<std::string> names{std::string(tensor_work)};
    for (const auto& [level, metric] : level_metrics) names.emplace_back(metric);
    for (const auto& [unit, metric] : unit_metrics) names.emplace_back(metric);
    return names;
  }

  void count(std::vector<std::string> metrics) {
    Request request = lab_.request(Phase::counters);
    request.metrics = std::move(metrics);
    request.full_checks = false;
    const PhaseOutcome outcome = lab_.run(request, on_event_, canceled_);
    note_error(outcome);
    for (const auto& set : outcome.all<record::CounterSet>()) {
      if (RooflineKernel* one = kernel(set.variant)) take(set.values, *one);
      if (set.least.bytes() > 0) found_.least_bytes = set.least.bytes();
      if (set.least.flops() > 0) found_.least_flops = set.least.flops();
    }
  }

  void take(const Counters& counters, RooflineKernel& one) {
    if (counters.contains(std::string(tensor_metrics.front()))) return take_tensor(counters, one);
    for (const auto& [level, metric] : level_metrics)
      one.bytes[level] = counter_of(counters, metric);
    for (const auto& [unit, metric] : unit_metrics) one.flops[unit] = counter_of(counters, metric);
    if (lab_.chosen.simulator) {
      one.flops[Arithmetic::tensor] = counter_of(counters, "tensor_flop");
      return;
    }
    // No tensor instruction, no tensor operation: a true zero. Otherwise they are counted next.
    CounterValue tensor = counter_of(counters, tensor_work);
    if (tensor.value.value_or(0) > 0)
      tensor = {.value = std::nullopt, .reason = {MissingKind::not_collected}};
    one.flops[Arithmetic::tensor] = tensor;
  }

  /// The sum over the input types that this chip can count.
  void take_tensor(const Counters& counters, RooflineKernel& one) {
    CounterValue& sum = one.flops[Arithmetic::tensor];
    if (sum.value) return;  // known to be none
    for (const std::string_view metric : tensor_metrics) {
      const CounterValue part = counter_of(counters, metric);
      if (part.value)
        sum = {sum.value.value_or(0) + *part.value, part.source, {}};
      else if (!sum.value)
        sum.reason = part.reason;
    }
  }

  bool uses_tensor_cores() const {
    return std::any_of(found_.kernels.begin(), found_.kernels.end(), [](const auto& one) {
      const auto tensor = one.flops.find(Arithmetic::tensor);
      return tensor != one.flops.end() && !tensor->second.value;
    });
  }

  bool any_counted() const {
    return std::any_of(found_.kernels.begin(), found_.kernels.end(),
                       [](const auto& one) { return one.seconds || !one.bytes.empty(); });
  }

  void note_error(const PhaseOutcome& outcome) {
    if (outcome.error && !error_) error_ = outcome.error;
  }

  const PreparedLab& lab_;
  const OnCheckEvent& on_event_;
  const std::atomic<bool>& canceled_;
  Roofline found_;
  std::optional<Error> error_;
};

}  // namespace

std::string_view to_string(MemoryLevel level) { return name_in(level_names, level); }
std::optional<MemoryLevel> memory_level_from(std::string_view name) {
  return value_in(level_names, name);
}
std::string_view to_string(Arithmetic unit) { return name_in(unit_names, unit); }
std::optional<Arithmetic> arithmetic_from(std::string_view name) {
  return value_in(unit_names, name);
}

Result<Roofline> find_roofline(const PreparedLab& lab, const OnCheckEvent& on_event,
                               const std::atomic<bool>& canceled) {
  return Finder(lab, on_event, canceled).run();
}

}  // namespace klab
