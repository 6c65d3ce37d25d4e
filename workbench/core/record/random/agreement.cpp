// Comparing both sides of a random kernel, and finding out why they differ.
#include "core/record/random/agreement.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"

namespace klab {
namespace {

constexpr const char* lanes_of_an_instruction = "threads_per_instruction";

RandomFigure result_of(const std::optional<RandomResult>& result) {
  if (!result) return {{}, {}, "did not run"};
  return {{}, {}, result->agrees() ? result->digest : result->verdict};
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

RandomFigure count_of(const RandomSide& side, const std::string& metric) {
  const CounterValue value = value_of(side, metric);
  return {value.value, value.value ? MissingReason{} : value.reason, {}};
}

/// Why the simulator has no value where it cannot have one; a phase that failed is no reason.
RandomReason unseen_reason(const RandomSide& simulator, const std::string& metric) {
  const CounterValue ours = value_of(simulator, metric);
  const bool withdrawn = !ours.value && ours.reason.kind == MissingKind::unseen_spills;
  return withdrawn ? RandomReason::unseen_spills : RandomReason::none;
}

/// What it says about a difference that it is gone in this form.
RandomReason reason_of(const RandomForm& form) {
  if (form.optimized) return RandomReason::division;
  return form.divides ? RandomReason::optimizer : RandomReason::division_behind_optimizer;
}
RandomReason grouping_in(const RandomForm& form) {
  if (form.optimized)
    return form.divides ? RandomReason::grouping : RandomReason::grouping_behind_division;
  return form.divides ? RandomReason::grouping_behind_optimizer
                      : RandomReason::grouping_behind_both;
}

bool same_and_any(const RandomSide& simulator, const RandomSide& gpu, const std::string& metric) {
  const auto ours = value_of(simulator, metric).value, theirs = value_of(gpu, metric).value;
  return ours && theirs && *ours == *theirs && *ours > 0;
}

/// Whether warps count this otherwise though each thread does the same.
bool is_grouped_otherwise(const std::string& metric, const RandomSide& simulator,
                          const RandomSide& gpu) {
  const auto behind = bytes_behind(metric);
  return !behind.empty() && std::all_of(behind.begin(), behind.end(), [&](const auto& bytes) {
    return same_and_any(simulator, gpu, bytes);
  });
}

/// Lanes in an instruction of a warp have no bytes of their own: they are of other lanes where any
/// access shows that.
bool shows_other_lanes(const AgreementPlan& plan, const RandomSide& simulator,
                       const RandomSide& gpu) {
  return std::any_of(plan.metrics.begin(), plan.metrics.end(), [&](const auto& metric) {
    const auto ours = value_of(simulator, metric.first).value,
               theirs = value_of(gpu, metric.first).value;
    return ours && theirs && *ours != *theirs && is_grouped_otherwise(metric.first, simulator, gpu);
  });
}

/// Whether lanes part as often on both sides, and every access is made by as many of them together.
bool shows_same_lanes(const AgreementPlan& plan, const RandomSide& simulator,
                      const RandomSide& gpu) {
  return same_and_any(simulator, gpu, "divergent_branches") &&
         std::all_of(plan.metrics.begin(), plan.metrics.end(), [&](const auto& metric) {
           return metric.second != Promise::equal ||
                  value_of(simulator, metric.first).value == value_of(gpu, metric.first).value;
         });
}

Promise promise_of(const AgreementPlan& plan, const std::string& metric) {
  for (const auto& [name, promise] : plan.metrics)
    if (name == metric) return promise;
  return Promise::none;
}

}  // namespace

std::string RandomFigure::text() const {
  if (!result.empty()) return result;
  const bool says_why = !count && !missing.empty();
  return exact_text(count) + (says_why ? ": " + shell_words(words_of(missing)) : "");
}

std::string words_of(RandomReason reason) {
  const std::string division =
      "Division and square roots are one instruction of PTX and a branching subroutine of machine "
      "code: without them, both agree";
  const std::string grouping =
      "Which threads of a warp an instruction takes together is ptxas's choice: where those that "
      "parted meet again, and which neighbouring accesses are merged. They ask for as many bytes "
      "on both sides";
  switch (reason) {
    case RandomReason::none:
      break;
    case RandomReason::unseen_spills:
      return shell_words(words_of(MissingReason{MissingKind::unseen_spills}));
    case RandomReason::optimizer:
      return "ptxas's optimizer: as the PTX is written, both agree.";
    case RandomReason::division:
      return division + ".";
    case RandomReason::division_behind_optimizer:
      return division + " on PTX as it is written.";
    case RandomReason::grouping:
      return grouping + ".";
    case RandomReason::grouping_behind_optimizer:
      return grouping + ", once ptxas's optimizer leaves every access as the PTX has it.";
    case RandomReason::grouping_behind_division:
      return grouping + ", once nothing divides.";
    case RandomReason::grouping_behind_both:
      return grouping + ", once nothing divides and ptxas leaves every access as the PTX has it.";
    case RandomReason::translation:
      return "An instruction of PTX is one or several of machine code, and which of them has many "
             "decides how much its threads weigh. On both sides lanes part as often, and come "
             "together alike at every access.";
  }
  return {};
}

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
  looks.insert(looks.end(), other.looks.begin(), other.looks.end());
  std::stable_sort(differences.begin(), differences.end(),
                   [](const auto& a, const auto& b) { return a.seed < b.seed; });
}

std::vector<std::string> random_metrics(const AgreementPlan& plan) {
  std::vector<std::string> names;
  for (const auto& [name, promise] : plan.metrics) names.push_back(name);
  return names;
}

RandomReasons reasons_of(const RandomAgreement& agreement, const std::string& subject) {
  RandomReasons found;
  for (const RandomDifference& difference : agreement.differences)
    if (difference.subject == subject)
      ++(difference.reason == RandomReason::none ? found.none : found.known);
  return found;
}

void compare_random(const AgreementPlan& plan, std::uint64_t seed, const RandomSide& simulator,
                    const RandomSide* gpu, RandomAgreement& agreement) {
  RandomAgreement found;
  found.kernels = 1;
  if (same_result(simulator, gpu))
    found.same_results = 1;
  else
    found.differences.push_back({seed, random_results, result_of(simulator.result),
                                 gpu == nullptr ? RandomFigure{} : result_of(gpu->result),
                                 RandomReason::none});
  if (gpu != nullptr)
    for (const std::string& metric : random_metrics(plan)) {
      const AgreementRow row = row_of(metric, simulator, *gpu);
      const bool shown = promise_of(plan, metric) == Promise::none;
      const bool kept = shown ? row.simulator == row.gpu : keeps_promise(plan, row);
      const bool counted = !kept || row.simulator != 0.0 || row.gpu != 0.0;
      found.metrics.push_back({metric, 1, counted, counted && kept});
      if (!kept && !shown)
        found.differences.push_back({seed, metric, count_of(simulator, metric),
                                     count_of(*gpu, metric), unseen_reason(simulator, metric)});
    }
  agreement.add(found);
}

void explain_random(const AgreementPlan& plan, const RandomForm& form, const RandomSide& simulator,
                    const RandomSide& gpu, RandomDifference& difference) {
  if (difference.reason != RandomReason::none) return;
  const std::string& subject = difference.subject;
  // Without divisions a kernel computes something else, which says nothing of its results.
  const bool agree = subject == random_results
                         ? form.divides && same_result(simulator, &gpu)
                         : keeps_promise(plan, row_of(subject, simulator, gpu));
  const bool is_built_as_usual = form.optimized && form.divides;
  if (agree && !is_built_as_usual)
    difference.reason = reason_of(form);
  else if (subject == lanes_of_an_instruction ? shows_other_lanes(plan, simulator, gpu)
                                              : is_grouped_otherwise(subject, simulator, gpu))
    difference.reason = grouping_in(form);
  else if (subject == lanes_of_an_instruction && shows_same_lanes(plan, simulator, gpu))
    difference.reason = RandomReason::translation;
}

void note_look(const RandomForm& form, std::uint64_t seed, const RandomSide& simulator,
               const RandomSide& gpu, RandomAgreement& agreement) {
  for (const auto& [metric, value] : simulator.counters)
    agreement.looks.push_back(
        {seed, form.suffix(), metric, count_of(simulator, metric), count_of(gpu, metric)});
}

void forget_explained(RandomAgreement& agreement) {
  std::erase_if(agreement.looks, [&](const RandomLook& look) {
    return std::none_of(agreement.differences.begin(), agreement.differences.end(),
                        [&](const RandomDifference& difference) {
                          return difference.seed == look.seed &&
                                 difference.reason == RandomReason::none;
                        });
  });
}

std::vector<std::string> unexplained(const RandomAgreement& agreement) {
  std::vector<std::string> found;
  for (const RandomDifference& difference : agreement.differences)
    if (difference.reason == RandomReason::none) {
      const bool gpu = difference.subject != random_results || !difference.gpu.result.empty();
      found.push_back("seed " + std::to_string(difference.seed) + ": " + difference.subject +
                      " is " + difference.simulator.text() + " on the simulator" +
                      (gpu ? " and " + difference.gpu.text() + " on the GPU" : std::string()) +
                      ".");
    }
  return found;
}

Result<std::string> generator_digest(const std::filesystem::path& root, const Seeds& seeds,
                                     RandomKind kind) {
  const auto folder = root / "tests/simulator/agreement";
  std::string all = random_kernels_source(seeds, kind);
  std::vector<const char*> files{
      "random/arithmetic.cuh",     "random/more_arithmetic.cuh", "random/more_arithmetic_host.cuh",
      "random/thread.cuh",         "random/device_side.cuh",     "random/host_side.cuh",
      "random/support.cuh",        "random/program.cu",          "labs/02_random/contract.cuh",
      "labs/02_random/workload.cu"};
  if (kind == RandomKind::structured || kind == RandomKind::masked)
    files.push_back("random/lanes.cuh");
  if (kind == RandomKind::memory)
    files.insert(files.end(), {"random/memory_side.cuh", "random/memory_host.cuh"});
  for (const char* file : files) {
    const auto text = read_file(folder / file);
    if (!text) return text.error();
    all += *text;
  }
  return sha256(all);
}

}  // namespace klab
