// Comparing both sides of a random kernel, and finding out why they differ.
#include "core/record/random/agreement.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"

namespace klab {
namespace {

std::string result_text(const std::optional<RandomResult>& result) {
  if (!result) return "did not run";
  return result->agrees() ? result->digest : result->verdict;
}

/// Host, simulator and GPU alike.
bool same_result(const RandomSide& simulator, const RandomSide* gpu) {
  if (!simulator.result || !simulator.result->agrees()) return false;
  return gpu == nullptr ||
         (gpu->result && gpu->result->agrees() && gpu->result->digest == simulator.result->digest);
}

CounterValue value_of(const RandomSide& side, const std::string& metric) {
  const auto found = side.counters.find(metric);
  return found == side.counters.end() ? CounterValue{} : found->second;
}

AgreementRow row_of(const std::string& metric, const RandomSide& simulator, const RandomSide& gpu) {
  const CounterValue ours = value_of(simulator, metric);
  return {metric, ours.source, ours.value, value_of(gpu, metric).value, {}};
}

std::string count_text(const CounterValue& value) {
  const bool says_why = !value.value && !value.reason.empty();
  return exact_text(value.value) + (says_why ? ": " + shell_words(words_of(value.reason)) : "");
}

/// Why the simulator has no value where it cannot have one; a phase that failed is no reason.
std::string unseen_reason(const RandomSide& simulator, const std::string& metric) {
  const CounterValue ours = value_of(simulator, metric);
  const bool withdrawn = !ours.value && ours.reason.kind == MissingKind::unseen_spills;
  return withdrawn ? shell_words(words_of(ours.reason)) : std::string();
}

/// What it says about a difference that it is gone in this form.
std::string reason_of(const RandomForm& form) {
  const std::string ptxas = "ptxas's optimizer: as the PTX is written, both agree";
  const std::string division =
      "Division and square roots are one instruction of PTX and a branching subroutine of machine "
      "code: without them, both agree";
  if (form.optimized) return division + ".";
  return form.divides ? ptxas + "." : division + " on PTX as it is written.";
}

}  // namespace

Seeds RandomAgreement::seeds() const {
  Seeds all(static_cast<std::size_t>(last_seed + 1 - first_seed));
  std::iota(all.begin(), all.end(), first_seed);
  return all;
}

void RandomAgreement::add(const RandomAgreement& other) {
  kernels += other.kernels;
  same_results += other.same_results;
  for (const RandomTally& tally : other.metrics) {
    const auto ours = std::find_if(metrics.begin(), metrics.end(),
                                   [&](const auto& m) { return m.metric == tally.metric; });
    if (ours == metrics.end()) {
      metrics.push_back(tally);
      continue;
    }
    ours->compared += tally.compared;
    ours->counted += tally.counted;
    ours->kept += tally.kept;
  }
  differences.insert(differences.end(), other.differences.begin(), other.differences.end());
  std::stable_sort(differences.begin(), differences.end(),
                   [](const auto& a, const auto& b) { return a.seed < b.seed; });
}

std::vector<std::string> random_metrics(const AgreementPlan& plan) {
  std::vector<std::string> names;
  for (const auto& [name, promise] : plan.metrics) {
    const Metric* metric = find_metric(name);
    if (promise != Promise::none && metric != nullptr && !metric->cupti.empty() &&
        !metric->simulator.empty())
      names.push_back(name);
  }
  return names;
}

void compare_random(const AgreementPlan& plan, std::uint64_t seed, const RandomSide& simulator,
                    const RandomSide* gpu, RandomAgreement& agreement) {
  RandomAgreement found;
  found.kernels = 1;
  if (same_result(simulator, gpu))
    found.same_results = 1;
  else
    found.differences.push_back({seed,
                                 random_results,
                                 result_text(simulator.result),
                                 gpu == nullptr ? "" : result_text(gpu->result),
                                 {}});
  if (gpu != nullptr)
    for (const std::string& metric : random_metrics(plan)) {
      const AgreementRow row = row_of(metric, simulator, *gpu);
      const bool kept = keeps_promise(plan, row);
      const bool counted = !kept || row.simulator != 0.0 || row.gpu != 0.0;
      found.metrics.push_back({metric, 1, counted, counted && kept});
      if (!kept)
        found.differences.push_back({seed, metric, count_text(value_of(simulator, metric)),
                                     count_text(value_of(*gpu, metric)),
                                     unseen_reason(simulator, metric)});
    }
  agreement.add(found);
}

void explain_random(const AgreementPlan& plan, const RandomForm& form, const RandomSide& simulator,
                    const RandomSide& gpu, RandomDifference& difference) {
  if (!difference.reason.empty()) return;
  // Without divisions a kernel computes something else, which says nothing of its results.
  const bool agree = difference.subject == random_results
                         ? form.divides && same_result(simulator, &gpu)
                         : keeps_promise(plan, row_of(difference.subject, simulator, gpu));
  if (agree) difference.reason = reason_of(form);
}

std::vector<std::string> unexplained(const RandomAgreement& agreement) {
  std::vector<std::string> found;
  for (const RandomDifference& difference : agreement.differences)
    if (difference.reason.empty())
      found.push_back(
          "seed " + std::to_string(difference.seed) + ": " + difference.subject + " is " +
          difference.simulator + " on the simulator" +
          (difference.gpu.empty() ? std::string() : " and " + difference.gpu + " on the GPU") +
          ".");
  return found;
}

Result<std::string> generator_digest(const std::filesystem::path& root, const Seeds& seeds) {
  const auto folder = root / "tests/simulator/agreement";
  std::string all = random_kernels_source(seeds);
  for (const char* file :
       {"random/arithmetic.cuh", "random/more_arithmetic.cuh", "random/more_arithmetic_host.cuh",
        "random/thread.cuh", "random/device_side.cuh", "random/host_side.cuh", "random/support.cuh",
        "random/program.cu", "labs/02_random/contract.cuh", "labs/02_random/workload.cu"}) {
    const auto text = read_file(folder / file);
    if (!text) return text.error();
    all += *text;
  }
  return sha256(all);
}

}  // namespace klab
