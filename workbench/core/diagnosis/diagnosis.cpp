// The order of the rules, and what their findings add up to.
#include "core/diagnosis/diagnosis.hpp"

#include <algorithm>
#include <utility>

#include "core/base/names.hpp"
#include "core/base/text.hpp"
#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"

namespace klab {
namespace {

constexpr std::pair<Bottleneck, std::string_view> bottlenecks[] = {
    {Bottleneck::overhead, "overhead"},
    {Bottleneck::compute, "compute"},
    {Bottleneck::memory, "memory"},
    {Bottleneck::latency, "latency"},
    {Bottleneck::balanced, "balanced"}};
constexpr std::pair<MemoryUnit, std::string_view> memory_units[] = {
    {MemoryUnit::device_memory, "device memory"},
    {MemoryUnit::l2, "L2"},
    {MemoryUnit::l1_and_shared, "L1 and shared memory"}};
constexpr std::pair<Confidence, std::string_view> confidences[] = {
    {Confidence::low, "low"}, {Confidence::medium, "medium"}, {Confidence::high, "high"}};

using rules::Limit;
using rules::Ruled;

using LimitRule = Ruled<Limit> (*)(const KernelFacts&);
/// The first that applies decides: what the host costs hides what the kernel does.
constexpr LimitRule limit_rules[] = {rules::overhead, rules::balanced, rules::compute,
                                     rules::memory, rules::latency};

struct WasteRule {
  const char* kind;
  Ruled<Waste> (*rule)(const KernelFacts&);
};
/// The causes before what follows from them.
constexpr WasteRule waste_rules[] = {{"spills", rules::spills},
                                     {"divergence", rules::divergence},
                                     {"excess sectors", rules::excess_sectors},
                                     {"bank conflicts", rules::bank_conflicts},
                                     {"FP64 arithmetic", rules::fp64},
                                     {"host waits", rules::host_waits},
                                     {"imbalance", rules::imbalance},
                                     {"repeated traffic", rules::repeated_traffic}};

constexpr std::size_t most_experiments = 2;

Confidence confidence_of(double points) {
  if (points >= thresholds::high_points) return Confidence::high;
  return points >= thresholds::medium_points ? Confidence::medium : Confidence::low;
}

void add_lacks(Diagnosis& diagnosis, const std::vector<Lack>& lacks) {
  for (const Lack& lack : lacks)
    if (std::find(diagnosis.lacks.begin(), diagnosis.lacks.end(), lack) == diagnosis.lacks.end())
      diagnosis.lacks.push_back(lack);
}

void classify(Diagnosis& diagnosis, const KernelFacts& facts,
              std::vector<Experiment>& experiments) {
  for (const LimitRule rule : limit_rules) {
    Ruled<Limit> ruled = rule(facts);
    if (!ruled.found) {
      add_lacks(diagnosis, ruled.lacks);
      continue;
    }
    Limit& limit = *ruled.found;
    // What other rules lacked no longer matters once overhead is found; a later class stands with
    // the reservation that overhead could not be ruled out.
    if (limit.bottleneck == Bottleneck::overhead) diagnosis.lacks.clear();
    diagnosis.bottleneck = limit.bottleneck;
    diagnosis.level = limit.level;
    diagnosis.sentence = std::move(limit.sentence);
    diagnosis.evidence = std::move(limit.evidence);
    diagnosis.confidence = confidence_of(limit.margin_points);
    diagnosis.distance = std::move(limit.distance);
    experiments = std::move(limit.experiments);
    return;
  }
}

std::string cannot_tell(const Diagnosis& diagnosis, bool simulated) {
  if (simulated)
    return "Only a GPU can tell what limits this kernel: the simulator counts what it does, and "
           "has no clock.";
  if (diagnosis.lacks.empty()) return "What limits this kernel cannot be told from these counters.";
  std::string needs;
  constexpr std::size_t most_named = 3;
  for (std::size_t i = 0; i < std::min(diagnosis.lacks.size(), most_named); ++i)
    needs += (i > 0 ? ", " : "") + diagnosis.lacks[i].what;
  if (diagnosis.lacks.size() > most_named) needs += " and others";
  return "What limits this kernel cannot be told: that needs " + needs + ".";
}

}  // namespace

std::string_view to_string(Bottleneck bottleneck) { return name_in(bottlenecks, bottleneck); }
std::string_view to_string(MemoryUnit unit) { return name_in(memory_units, unit); }
std::string_view to_string(Confidence confidence) { return name_in(confidences, confidence); }

Diagnosis diagnose(const KernelFacts& facts) {
  Diagnosis diagnosis{.variant = facts.variant};
  std::vector<Experiment> of_class;
  classify(diagnosis, facts, of_class);
  for (const WasteRule& waste : waste_rules) {
    Ruled<Waste> ruled = waste.rule(facts);
    if (ruled.found)
      diagnosis.wastes.push_back(std::move(*ruled.found));
    else if (!ruled.lacks.empty())
      diagnosis.unchecked.emplace_back(waste.kind);
  }
  if (!diagnosis.bottleneck) diagnosis.sentence = cannot_tell(diagnosis, facts.simulated);
  // The sentence says it of all of them: each needs a GPU.
  if (facts.simulated) diagnosis.lacks.clear();
  // Waste first: it can go whatever the class, and often changes it.
  for (const Waste& waste : diagnosis.wastes) diagnosis.experiments.push_back(waste.experiment);
  diagnosis.experiments.insert(diagnosis.experiments.end(), of_class.begin(), of_class.end());
  if (diagnosis.experiments.size() > most_experiments)
    diagnosis.experiments.resize(most_experiments);
  for (Experiment& experiment : diagnosis.experiments)
    if (std::string timed = std::exchange(experiment.timed, {}); !timed.empty() && !facts.simulated)
      experiment.expect += " " + timed;
  return diagnosis;
}

Diagnosis without_experiments(Diagnosis diagnosis, const std::string& lab_slug) {
  if (!diagnosis.experiments.empty())
    diagnosis.withheld =
        "What to try next comes with the first hint: " + Act{Verb::hint, lab_slug} + ".";
  diagnosis.experiments.clear();
  return diagnosis;
}

std::string summary(const Diagnosis& diagnosis) {
  if (!diagnosis.wastes.empty()) return diagnosis.wastes.front().sentence;
  return diagnosis.bottleneck ? diagnosis.sentence : std::string();
}

}  // namespace klab
