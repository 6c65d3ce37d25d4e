// What is promised of random kernels, by their kind.
#include <algorithm>

#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/record/random/agreement.hpp"

namespace klab {
namespace {

/// What a kind says more of, or less, than the plan.
struct OfKind {
  RandomKind kind;
  const char* metric;
  Promise promise;
};
constexpr OfKind of_kinds[] = {
    {RandomKind::structured, "divergent_branches", Promise::none},
    {RandomKind::structured, "shared_bank_conflicts", Promise::none},
    {RandomKind::masked, "divergent_branches", Promise::none},
    {RandomKind::masked, "shared_bank_conflicts", Promise::none},
    // Its few branches are around an access each, which ptxas predicates: all lanes execute it, and
    // most do nothing. What they access is the same.
    {RandomKind::memory, "threads_per_instruction", Promise::none},
    {RandomKind::memory, "divergent_branches", Promise::none},
    {RandomKind::memory, "shared_bank_conflicts", Promise::equal},
};

/// Whether both sides count it of one launch.
bool is_countable(const std::string& name) {
  const Metric* metric = find_metric(name);
  return metric != nullptr && !metric->cupti.empty() && !metric->simulator.empty();
}

}  // namespace

AgreementPlan random_plan(const AgreementPlan& plan, RandomKind kind) {
  AgreementPlan out = plan;
  std::erase_if(out.metrics, [](const auto& metric) {
    return metric.second == Promise::none || !is_countable(metric.first);
  });
  for (const OfKind& of_kind : of_kinds) {
    if (of_kind.kind != kind) continue;
    const auto at = std::find_if(out.metrics.begin(), out.metrics.end(), [&](const auto& metric) {
      return metric.first == of_kind.metric;
    });
    if (at == out.metrics.end())
      out.metrics.emplace_back(of_kind.metric, of_kind.promise);
    else
      at->second = of_kind.promise;
  }
  return out;
}

}  // namespace klab
