// Running one side of a comparison: all kernels of a lab in one process a phase.
#include <algorithm>
#include <functional>
#include <optional>

#include "core/base/side_by_side.hpp"
#include "core/build/plugin_builder.hpp"
#include "core/check/prepared_lab.hpp"
#include "core/check/withheld.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/record/agreement.hpp"
#include "core/wire/runner_client.hpp"

namespace klab {
namespace {

constexpr double phase_time_limit_s = 120;
/// Both sides get the same inputs.
constexpr std::uint64_t seed = 1;
/// Processes that share a GPU: mostly they start, which takes a processor rather than the GPU.
constexpr std::size_t processes_on_a_gpu = 4;

/// The metrics of the plan that this phase can collect.
std::vector<std::string> wanted(const AgreementPlan& plan, Phase phase, bool simulator) {
  std::vector<std::string> names;
  for (const auto& [name, promise] : plan.metrics) {
    const Metric& metric = *find_metric(name);
    const std::string_view source = simulator               ? metric.simulator
                                    : phase == Phase::trace ? metric.trace
                                                            : metric.cupti;
    if (!source.empty()) names.push_back(name);
  }
  return names;
}

/// The comparands of one lab: their kernel files are built for it, and its processes run all.
class LabRun {
 public:
  /// One comparand, and where what is found of it goes.
  struct Member {
    const Comparand* comparand;
    AgreementSide* side;
  };

  LabRun(const Tree& tree, const AgreementPlan& plan, bool simulator,
         const std::atomic<bool>* canceled)
      : tree_(tree), plan_(plan), simulator_(simulator), canceled_(canceled) {}

  void add(Member member) { members_.push_back(member); }
  const Lab& lab() const { return members_.front().comparand->lab; }

  /// A pattern is a size of one kernel file, so all of them share a library.
  std::vector<Variant> variants() const {
    std::vector<Variant> all;
    for (const Member& member : members_)
      if (const VariantName name(member.comparand->variant);
          std::none_of(all.begin(), all.end(), [&](const Variant& v) { return v.name == name; }))
        all.push_back({name, member.comparand->source});
    return all;
  }

  /// Takes the libraries, which lie in the cache by now where they could be built.
  Result<> prepare(const Toolchain& toolchain, ComputeCapability capability) {
    prepared_.emplace(
        PreparedLab{.lab = lab(), .tree = tree_, .toolchain = toolchain, .seed = seed});
    prepared_->chosen.simulator = simulator_;
    prepared_->chosen.device.compute_capability = capability;
    for (const Variant& variant : variants())
      if (auto added = prepared_->add(variant, canceled_); !added) return added.error();
    return prepared_->add_workload(canceled_);
  }

  void run(Phase phase) {
    // The simulator counts everything in one phase.
    if (simulator_ && phase == Phase::trace) return;
    run(phase, members_);
  }

  void withdraw_spills() {
    for (const Member& member : members_) {
      double spilled = 0;
      for (const KernelReport& kernel : plugin_of(*member.comparand)->kernels)
        spilled += static_cast<double>(kernel.spill_store_bytes + kernel.spill_load_bytes);
      member.side->counters["spill_bytes"] = {spilled, Source::compiler, {}};
      withdraw_unseen_spills(member.side->counters);
    }
  }

 private:
  const BuiltPlugin* plugin_of(const Comparand& comparand) const {
    for (const auto& [variant, built] : prepared_->plugins)
      if (variant == comparand.variant) return &built;
    return nullptr;
  }

  /// What goes wrong with one kernel may concern its neighbours in the process: then each runs
  /// alone.
  void run(Phase phase, const std::vector<Member>& members) {
    Request request = prepared_->request(phase, {});
    request.sizes.clear();
    for (const Member& member : members) {
      const VariantName variant(member.comparand->variant);
      if (std::none_of(request.plugins.begin(), request.plugins.end(),
                       [&](const auto& plugin) { return plugin.variant == variant; }))
        request.plugins.push_back({variant, plugin_of(*member.comparand)->library.string()});
      const Size& size = member.comparand->size;
      if (std::find(request.sizes.begin(), request.sizes.end(), size) == request.sizes.end())
        request.sizes.push_back(size);
    }
    request.full_checks = false;
    request.digest_results = true;
    request.metrics = wanted(plan_, phase, simulator_);
    if (phase != Phase::verify && request.metrics.empty()) return;
    const PhaseOutcome outcome =
        run_phase(tree_, simulator_, request, phase_time_limit_s, {}, canceled_);
    if (outcome.error && members.size() > 1) {
      for (const Member& member : members) run(phase, {member});
      return;
    }
    for (const Member& member : members) keep(phase, request, outcome, member);
  }

  static void keep(Phase phase, const Request& request, const PhaseOutcome& outcome,
                   const Member& member) {
    const auto is_of_member = [&](const auto& record) {
      return record.size == member.comparand->size && record.variant == member.comparand->variant;
    };
    if (phase == Phase::verify) {
      for (const record::Verified& result : outcome.all<record::Verified>())
        if (is_of_member(result)) {
          member.side->digest = result.digest;
          member.side->correct = result.correct && !outcome.error;
        }
      return;
    }
    Counters found;
    for (const record::CounterSet& set : outcome.all<record::CounterSet>())
      if (is_of_member(set)) found.insert(set.values.begin(), set.values.end());
    // A metric that the phase does not answer is absent with the phase's own reason.
    for (const std::string& name : request.metrics) {
      const auto value = found.find(name);
      member.side->counters[name] =
          value != found.end()
              ? value->second
              : CounterValue{std::nullopt, Source::counted,
                             outcome.error ? MissingReason{MissingKind::failed, outcome.error->what}
                                           : MissingReason{MissingKind::not_collected}};
    }
  }

  Tree tree_;
  const AgreementPlan& plan_;
  bool simulator_;
  const std::atomic<bool>* canceled_;
  std::vector<Member> members_;
  std::optional<PreparedLab> prepared_;
};

/// Builds every library of these labs, each on a processor of its own. What cannot be built is told
/// when it is asked for.
void build_ahead(const std::vector<LabRun>& labs, const Tree& tree, const Toolchain& toolchain,
                 ComputeCapability capability, const std::atomic<bool>* canceled) {
  std::vector<std::function<void()>> builds;
  for (const LabRun& lab : labs) {
    builds.push_back(
        [&] { (void)build_workload(tree, toolchain, lab.lab(), capability, canceled); });
    for (const Variant& variant : lab.variants())
      builds.push_back([&, variant] {
        (void)build_plugin(tree, toolchain, lab.lab(), variant.name, variant.path, capability,
                           canceled);
      });
  }
  side_by_side(builds.size(), processors(), [&](std::size_t i) { builds[i](); });
}

/// The counters of a GPU count what all processes do on it.
std::size_t at_once(Phase phase, bool simulator) {
  if (simulator) return processors();
  return phase == Phase::counters ? 1 : processes_on_a_gpu;
}

}  // namespace

Result<std::vector<AgreementSide>> run_sides(const Tree& tree, const Toolchain& toolchain,
                                             const AgreementPlan& plan,
                                             const std::vector<Comparand>& comparands,
                                             bool simulator, ComputeCapability capability,
                                             const std::atomic<bool>* canceled) {
  std::vector<AgreementSide> sides(comparands.size());
  std::vector<LabRun> labs;
  for (std::size_t i = 0; i < comparands.size(); ++i) {
    if (labs.empty() || labs.back().lab().id != comparands[i].lab.id)
      labs.emplace_back(tree, plan, simulator, canceled);
    labs.back().add({&comparands[i], &sides[i]});
  }
  build_ahead(labs, tree, toolchain, capability, canceled);
  for (LabRun& lab : labs)
    if (auto prepared = lab.prepare(toolchain, capability); !prepared) return prepared.error();
  for (const Phase phase : {Phase::verify, Phase::trace, Phase::counters})
    side_by_side(labs.size(), at_once(phase, simulator),
                 [&](std::size_t i) { labs[i].run(phase); });
  if (simulator)
    for (LabRun& lab : labs) lab.withdraw_spills();
  return sides;
}

}  // namespace klab
