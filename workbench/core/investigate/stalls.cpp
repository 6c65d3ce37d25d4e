// Gathering what a diagnosis rests on, and its record.
#include "core/investigate/stalls.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/check/prepared_lab.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/statistics.hpp"
#include "core/verdict/json/json_fields.hpp"

namespace klab {
namespace {

using nlohmann::json;

/// A record of more variants than any lab has is cut.
constexpr std::size_t most_kernel_files = 32;

class Gathering {
 public:
  Gathering(const PreparedLab& lab, const OnCheckEvent& on_event, const std::atomic<bool>& canceled)
      : lab_(lab), on_event_(on_event), canceled_(canceled) {}

  Result<StallReport> run() {
    for (const auto& [variant, built] : lab_.plugins) note_compiler(variant, built);
    count(Phase::counters, wanted(Phase::counters));
    if (!simulated()) {
      count(Phase::trace, wanted(Phase::trace));
      time();
      note_ceilings();
      sample_each();
    } else {
      report_.errors.push_back(
          make_error(ErrorCode::unsupported, "What warps wait for only a GPU can show.",
                     "Sample on a machine with a CUDA GPU; without one, " + Act{Verb::diagnose} +
                         " judges what the simulator counted."));
    }
    if (!obtained_ && !report_.errors.empty()) return report_.errors.front();
    return std::move(report_);
  }

 private:
  bool simulated() const { return lab_.chosen.simulator; }

  void note_compiler(const VariantName& variant, const BuiltPlugin& built) {
    KernelFacts facts{.variant = variant, .simulated = simulated()};
    for (const Metric& metric : metric_catalogue())
      if (const auto value = evaluate_compiler(metric, built.kernels))
        facts.counters[std::string(metric.name)] = {value, Source::compiler, {}};
    report_.facts.push_back(std::move(facts));
  }

  /// The catalogue names that this phase is to collect.
  std::vector<std::string> wanted(Phase phase) const {
    std::vector<std::string> names;
    for (const Metric& metric : metric_catalogue())
      if (simulated() ? !metric.simulator.empty() : phase == Phase::trace && !metric.trace.empty())
        names.emplace_back(metric.name);
    return !simulated() && phase == Phase::counters ? diagnosis_metrics() : names;
  }

  KernelFacts* facts_of(const VariantName& variant) {
    const auto found =
        std::find_if(report_.facts.begin(), report_.facts.end(),
                     [&](const KernelFacts& facts) { return facts.variant == variant; });
    return found == report_.facts.end() ? nullptr : &*found;
  }

  /// Runs a phase unless the user stopped; notes what went wrong.
  PhaseOutcome run_phase(const Request& request) {
    if (canceled_) return {};
    PhaseOutcome outcome = lab_.run(request, on_event_, canceled_);
    if (outcome.error && !canceled_) report_.errors.push_back(*outcome.error);
    return outcome;
  }

  void count(Phase phase, std::vector<std::string> metrics) {
    Request request = lab_.request(phase);
    request.metrics = std::move(metrics);
    request.full_checks = false;
    const PhaseOutcome outcome = run_phase(request);
    for (const record::CounterSet& set : outcome.all<record::CounterSet>())
      if (KernelFacts* facts = facts_of(set.variant))
        for (const auto& [name, counter] : set.values) {
          CounterValue& known = facts->counters[name];
          if (!known.value) known = counter;
          obtained_ = obtained_ || counter.value;
        }
    if (!outcome.error) return;
    for (KernelFacts& facts : report_.facts)
      for (const std::string& name : request.metrics)
        if (CounterValue& counter = facts.counters[name]; !counter.value && counter.reason.empty())
          counter.reason = {MissingKind::failed, outcome.error->what};
  }

  void time() {
    const PhaseOutcome outcome = run_phase(lab_.request(Phase::time));
    if (outcome.error) return;
    for (KernelFacts& facts : report_.facts) {
      std::vector<double> samples;
      for (const record::Sample& sample : outcome.all<record::Sample>())
        if (sample.variant == facts.variant) samples.push_back(sample.seconds);
      facts.seconds = median(samples);
      obtained_ = obtained_ || facts.seconds;
    }
  }

  void note_ceilings() {
    const auto say = [&](const std::string& text) {
      if (on_event_) on_event_({CheckEvent::Kind::phase_started, Phase::ceilings, {}, text});
    };
    const auto ceilings = ceilings_of(lab_.tree, lab_.chosen.device, true, say, &canceled_);
    if (!ceilings) return;
    for (KernelFacts& facts : report_.facts) facts.ceilings = ceilings->values;
  }

  /// A process for each kernel file, so that one that faults leaves the others, and the sampling
  /// period can fit each.
  void sample_each() {
    Request request = lab_.request(Phase::stalls);
    for (const PluginRequest& plugin : std::vector(request.plugins)) {
      request.plugins = {plugin};
      const PhaseOutcome outcome = run_phase(request);
      for (const record::Stalls& stalls : outcome.all<record::Stalls>()) {
        if (KernelFacts* facts = facts_of(stalls.samples.variant))
          facts->stalls_pct = stall_shares_pct(stalls.samples);
        report_.samples.push_back(stalls.samples);
        obtained_ = true;
      }
      // What concerns the profiler, and not the kernel, the next one would only repeat.
      if (outcome.error && outcome.error->code >= ErrorCode::profiler_denied &&
          outcome.error->code <= ErrorCode::profiler_unsupported)
        return;
    }
  }

  const PreparedLab& lab_;
  const OnCheckEvent& on_event_;
  const std::atomic<bool>& canceled_;
  StallReport report_;
  bool obtained_ = false;
};

template <class T>
const T* of_variant(const std::vector<T>& items, const VariantName& variant) {
  const auto found = std::find_if(items.begin(), items.end(),
                                  [&](const T& item) { return item.variant == variant; });
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

const KernelFacts* StallReport::facts_of(const VariantName& variant) const {
  return of_variant(facts, variant);
}

const StallSamples* StallReport::samples_of(const VariantName& variant) const {
  return of_variant(samples, variant);
}

Result<StallReport> find_stalls(const PreparedLab& lab, const OnCheckEvent& on_event,
                                const std::atomic<bool>& canceled) {
  return Gathering(lab, on_event, canceled).run();
}

template <class Visit>
void fields(Visit& visit, StallReport& stalls) {
  visit("facts",
        json_fields::at_most(most_kernel_files, stalls.facts, "it has too many kernel files"));
  visit("samples",
        json_fields::at_most(most_kernel_files, stalls.samples, "it has too many kernel files"));
  if constexpr (Visit::reads) return;
  json diagnoses = json::array();
  for (const KernelFacts& of_kernel : stalls.facts)
    diagnoses.push_back(to_json(diagnose(of_kernel)));
  visit("diagnoses", diagnoses);
}

json to_json(const StallReport& stalls) { return json_fields::of_fields(stalls); }

Result<StallReport> stalls_from(const json& object) {
  if (!json_reading::part(object, "facts").is_array())
    return make_error(ErrorCode::io, "A record of stalls holds no facts about a kernel.");
  return json_fields::lenient<StallReport>(object);
}

}  // namespace klab
