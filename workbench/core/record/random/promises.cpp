// What is promised of random kernels, by their kind.
#include <algorithm>
#include <map>

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

std::vector<std::string> bytes_behind(const std::string& subject) {
  static const std::map<std::string, std::vector<std::string>> behind{
      {"global_load_requests", {"global_load_bytes"}},
      {"global_load_sectors", {"global_load_bytes"}},
      {"global_store_requests", {"global_store_bytes"}},
      {"global_store_sectors", {"global_store_bytes"}},
      {"local_instructions", {"local_load_bytes", "local_store_bytes"}},
      {"local_load_sectors", {"local_load_bytes"}},
      {"local_store_sectors", {"local_store_bytes"}},
      {"shared_load_wavefronts", {"shared_load_bytes"}},
      {"shared_store_wavefronts", {"shared_store_bytes"}},
      {"global_atomics", {"global_atomic_bytes"}},
      {"shared_atomics", {"shared_atomic_bytes"}}};
  const auto found = behind.find(subject);
  return found == behind.end() ? std::vector<std::string>() : found->second;
}

AgreementPlan random_plan(const AgreementPlan& plan, RandomKind kind) {
  AgreementPlan out = plan;
  std::erase_if(out.metrics, [](const auto& metric) {
    return metric.second == Promise::none || !is_countable(metric.first);
  });
  // Kernels without parted lanes have nothing to be told apart by what each thread does.
  if (kind != RandomKind::memory) {
    std::vector<std::pair<std::string, Promise>> bytes;
    for (const auto& [metric, promise] : out.metrics)
      for (const std::string& behind : bytes_behind(metric))
        if (std::find(bytes.begin(), bytes.end(), std::pair(behind, Promise::equal)) == bytes.end())
          bytes.emplace_back(behind, Promise::equal);
    out.metrics.insert(out.metrics.end(), bytes.begin(), bytes.end());
  }
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
