// Looking up facts, and their record.
#include "core/diagnosis/facts.hpp"

#include "core/base/find.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/verdict/json/check_result_fields.hpp"
#include "core/verdict/json/json_fields.hpp"

namespace klab {
namespace {

using nlohmann::json;

}  // namespace

std::optional<double> KernelFacts::value(std::string_view metric) const {
  const CounterValue* found = find_in(counters, std::string(metric));
  return found ? found->value : std::nullopt;
}

EvidenceRow KernelFacts::evidence(std::string_view metric, std::string says) const {
  EvidenceRow evidence{.says = std::move(says)};
  const Metric* known = find_metric(metric);
  evidence.label = known ? std::string(known->label) : std::string(metric);
  if (known) evidence.unit = known->unit;
  if (const auto found = counters.find(std::string(metric)); found != counters.end()) {
    evidence.value = found->second.value;
    evidence.source = found->second.source;
  }
  return evidence;
}

Lack KernelFacts::lack(std::string_view metric) const {
  const Metric* known = find_metric(metric);
  MissingReason why{MissingKind::not_collected};
  if (const auto found = counters.find(std::string(metric));
      found != counters.end() && !found->second.reason.empty())
    why = found->second.reason;
  return {known ? std::string(known->label) : std::string(metric), words_of(why)};
}

std::vector<Lack> KernelFacts::lacks(std::initializer_list<std::string_view> metrics) const {
  std::vector<Lack> missing;
  for (const std::string_view metric : metrics)
    if (!value(metric)) missing.push_back(lack(metric));
  return missing;
}

KernelFacts facts_from(const CheckResult& result, const VariantName& variant,
                       const Ceilings* ceilings) {
  KernelFacts facts{.variant = variant, .simulated = result.backend == Backend::simulator};
  if (const auto found = result.counters.find(variant); found != result.counters.end())
    facts.counters = found->second;
  if (const auto found = result.timing.variants.find(variant);
      found != result.timing.variants.end() && found->second.seconds)
    facts.seconds = found->second.seconds->median;
  if (ceilings) facts.ceilings = ceilings->values;
  return facts;
}

std::vector<std::string> diagnosis_metrics() {
  std::vector<std::string> names;
  for (const std::string_view name : default_metrics()) names.emplace_back(name);
  for (const char* name : {"threads_per_instruction", "sm_imbalance_pct", "shared_load_wavefronts",
                           "shared_store_wavefronts", "shared_bank_conflicts", "local_load_sectors",
                           "local_store_sectors"})
    names.emplace_back(name);
  return names;
}

template <class Visit>
void fields(Visit& visit, KernelFacts& facts) {
  visit("variant", facts.variant);
  visit("simulated", facts.simulated);
  visit("counters", facts.counters);
  visit("seconds", facts.seconds);
  visit("ceilings", facts.ceilings);
  visit("stalls_pct", facts.stalls_pct);
}

json to_json(const KernelFacts& facts) { return json_fields::of_fields(facts); }

KernelFacts facts_from(const json& object) { return json_fields::lenient<KernelFacts>(object); }

bool read_json(const json& object, KernelFacts& facts) {
  facts = facts_from(object);
  return true;
}

}  // namespace klab
