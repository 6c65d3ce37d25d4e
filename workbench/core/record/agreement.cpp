// What is compared, and what follows from the numbers of both sides.
#include "core/record/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/files.hpp"
#include "core/base/sha256.hpp"

namespace klab {
namespace fs = std::filesystem;
namespace {

constexpr double near_share = 0.10;

std::string known_reason(const AgreementPlan& plan, const AgreementKernel& kernel,
                         const std::string& metric) {
  const auto fits = [](const auto& wanted, const auto& name) { return !wanted || *wanted == name; };
  for (const KnownDifference& known : plan.known)
    if (fits(known.kernel, kernel.kernel) && fits(known.variant, kernel.variant) &&
        known.metric == metric)
      return known.reason;
  return {};
}

void note_row_changes(const std::string& name, const AgreementKernel& before,
                      const AgreementKernel& now, std::vector<std::string>& changed) {
  for (const AgreementRow& row : now.rows) {
    const auto old =
        std::find_if(before.rows.begin(), before.rows.end(),
                     [&](const AgreementRow& other) { return other.metric == row.metric; });
    const std::string which = name + ": " + row.metric;
    if (old == before.rows.end())
      changed.push_back(which + " is not recorded.");
    else if (old->simulator != row.simulator)
      changed.push_back(which + " was " + exact_text(old->simulator) + " and is " +
                        exact_text(row.simulator) + " now.");
    else if (old->simulator && old->label != row.label)
      changed.push_back(which + " was labelled " + std::string(to_string(old->label)) + " and is " +
                        std::string(to_string(row.label)) + " now.");
  }
  for (const AgreementRow& row : before.rows)
    if (std::none_of(now.rows.begin(), now.rows.end(),
                     [&](const AgreementRow& other) { return other.metric == row.metric; }))
      changed.push_back(name + ": " + row.metric + " is recorded but no longer compared.");
}

}  // namespace

std::optional<double> AgreementRow::difference() const {
  if (!simulator || !gpu) return std::nullopt;
  return *simulator - *gpu;
}

std::string exact_text(std::optional<double> value) {
  if (!value) return "absent";
  std::string text = std::to_string(*value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string AgreementKernel::name() const {
  return variant == pattern_variant ? kernel : kernel + " " + variant.name();
}

std::vector<Comparand> comparands(const AgreementPlan& plan, const Course& course) {
  std::vector<Comparand> all;
  std::int64_t number = 0;
  const fs::path patterns = plan.patterns.flawed().parent_path() / "patterns.cu";
  for (const std::string& name : plan.names)
    all.push_back({name, pattern_variant, plan.patterns, patterns, {++number}});
  for (const Lab& lab : course.labs) {
    if (!lab.sizes.simulator) continue;
    if (lab.kind == LabKind::measurement) continue;  // how often it runs a job is its own affair
    all.push_back({lab.id, VariantName::flawed, lab, lab.flawed(), *lab.sizes.simulator});
    all.push_back({lab.id, VariantName::optimized, lab, lab.optimized(), *lab.sizes.simulator});
  }
  return all;
}

std::vector<Comparand> at_recorded_sizes(std::vector<Comparand> all, const Agreement& recorded) {
  for (const AgreementKernel& kernel : recorded.kernels)
    for (Comparand& comparand : all)
      if (comparand.kernel == kernel.kernel && comparand.variant == kernel.variant)
        comparand.size = kernel.size;
  return all;
}

Result<AgreementKernel> compared(const AgreementPlan& plan, const fs::path& root,
                                 const Comparand& comparand, const AgreementSide& simulator,
                                 const AgreementSide& gpu) {
  AgreementKernel kernel{comparand.kernel, comparand.variant, comparand.size};
  for (const fs::path& path :
       {comparand.source, comparand.lab.contract(), comparand.lab.workload()}) {
    const auto text = read_file(path);
    if (!text) return text.error();
    kernel.sources[path.lexically_relative(root).generic_string()] = sha256(*text);
  }
  kernel.simulator_digest = simulator.digest;
  kernel.simulator_correct = simulator.correct;
  kernel.gpu_digest = gpu.digest;
  kernel.gpu_correct = gpu.correct;
  const auto value_of = [](const AgreementSide& side, const std::string& name) {
    const auto found = side.counters.find(name);
    return found == side.counters.end() ? CounterValue{} : found->second;
  };
  for (const auto& [name, promise] : plan.metrics) {
    const CounterValue ours = value_of(simulator, name), theirs = value_of(gpu, name);
    AgreementRow row{name, ours.source, ours.value, theirs.value, {}};
    if (!row.simulator)
      row.reason = shell_words(words_of(ours.reason));
    else if (!row.gpu)
      row.reason = shell_words(words_of(theirs.reason));
    kernel.rows.push_back(std::move(row));
  }
  return kernel;
}

void explain(const AgreementPlan& plan, Agreement& agreement) {
  for (AgreementKernel& kernel : agreement.kernels)
    for (AgreementRow& row : kernel.rows) {
      if (row.simulator && row.gpu) row.reason.clear();
      if (row.simulator == row.gpu) continue;
      if (const std::string known = known_reason(plan, kernel, row.metric); !known.empty())
        row.reason = known;
    }
}

bool keeps_promise(const AgreementPlan& plan, const AgreementRow& row) {
  if (!row.simulator || !row.gpu) return false;
  for (const auto& [name, promise] : plan.metrics) {
    if (name != row.metric) continue;
    if (promise == Promise::equal) return *row.simulator == *row.gpu;
    if (promise == Promise::within_10_pct)
      return std::abs(*row.difference()) <= near_share * std::abs(*row.gpu);
  }
  return true;
}

std::vector<std::string> unexplained(const AgreementPlan& plan, const Agreement& agreement) {
  std::vector<std::string> found;
  for (const AgreementKernel& kernel : agreement.kernels) {
    const std::string name = kernel.name();
    if (!kernel.simulator_correct) found.push_back(name + " is not right on the simulator.");
    if (!kernel.gpu_correct) found.push_back(name + " is not right on the GPU.");
    // A pattern is exact arithmetic, and has no other proof of its result.
    if (kernel.variant == pattern_variant && kernel.simulator_digest != kernel.gpu_digest)
      found.push_back(name + " gives other results on the simulator than on the GPU.");
    for (const AgreementRow& row : kernel.rows) {
      if (keeps_promise(plan, row) || !row.reason.empty() || (!row.simulator && !row.gpu)) continue;
      found.push_back(name + ": " + row.metric + " is " + exact_text(row.simulator) +
                      " on the simulator and " + exact_text(row.gpu) + " on the GPU.");
    }
  }
  return found;
}

bool is_recorded(const Agreement& recorded, const std::string& lab) {
  return std::any_of(recorded.kernels.begin(), recorded.kernels.end(),
                     [&](const AgreementKernel& kernel) { return kernel.kernel == lab; });
}

std::vector<std::string> changes(const Agreement& recorded, const Agreement& now) {
  std::vector<std::string> changed;
  std::set<std::string> seen, sources;
  for (const AgreementKernel& kernel : now.kernels) {
    const std::string name = kernel.name();
    seen.insert(name);
    const auto before =
        std::find_if(recorded.kernels.begin(), recorded.kernels.end(),
                     [&](const AgreementKernel& other) { return other.name() == name; });
    if (before == recorded.kernels.end()) {
      if (kernel.variant != pattern_variant && !is_recorded(recorded, kernel.kernel)) continue;
      changed.push_back(name + " is not recorded.");
      continue;
    }
    for (const auto& [path, digest] : kernel.sources)
      if (const auto old = before->sources.find(path);
          (old == before->sources.end() || old->second != digest) && sources.insert(path).second)
        changed.push_back(path + std::string(source_has_changed));
    // Another kernel, or other inputs: what was compared says nothing of it.
    if (kernel.sources != before->sources) continue;
    if (before->simulator_digest != kernel.simulator_digest ||
        before->simulator_correct != kernel.simulator_correct)
      changed.push_back(name + " gives other results now.");
    note_row_changes(name, *before, kernel, changed);
  }
  for (const AgreementKernel& kernel : recorded.kernels)
    if (seen.count(kernel.name()) == 0)
      changed.push_back(kernel.name() + " is recorded but no longer compared.");
  return changed;
}

}  // namespace klab
