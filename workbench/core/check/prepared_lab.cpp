// Preparing a lab: device, toolkit, libraries.
#include "core/check/prepared_lab.hpp"

#include <algorithm>

#include "core/build/calls/library_symbols.hpp"
#include "core/check/checkable.hpp"
#include "core/measure/measure_policy.hpp"
#include "core/timing/phases_ahead.hpp"

namespace klab {

PluginRequest plugin_request(const VariantName& variant, const BuiltPlugin& built) {
  return {variant, built.library.string(),
          std::any_of(built.kernels.begin(), built.kernels.end(),
                      [](const KernelReport& kernel) { return kernel.stack_bytes > 0; }),
          allocates(built.library)};
}

Result<> PreparedLab::choose(Backend backend, const std::atomic<bool>* canceled) {
  auto found = choose_backend(tree, backend, canceled);
  if (!found) return found.error();
  chosen = std::move(*found);
  return Ok{};
}

Result<> PreparedLab::equip() {
  auto found = find_toolchain(tree);
  if (!found) return found.error();
  toolchain = std::move(*found);
  chosen.device.toolkit = toolchain.version;
  if (const auto obstacle = obstacle_of(lab, chosen.device)) return obstacle->error;
  return Ok{};
}

Result<> PreparedLab::add(const Variant& variant, const std::atomic<bool>* canceled,
                          const VariantName& library) {
  auto built = build_plugin(tree, toolchain, lab, library.empty() ? variant.name : library,
                            variant.path, chosen.capability(), canceled);
  if (!built) return built.error();
  sources.push_back(variant);
  plugins.emplace_back(variant.name, std::move(*built));
  return Ok{};
}

Result<> PreparedLab::add_workload(const std::atomic<bool>* canceled) {
  auto built = build_workload(tree, toolchain, lab, chosen.capability(), canceled);
  if (!built) return built.error();
  workload = std::move(*built);
  return Ok{};
}

Request PreparedLab::request(Phase phase) const {
  std::vector<VariantName> all;
  for (const Variant& variant : sources) all.push_back(variant.name);
  return request(phase, all);
}

Request PreparedLab::request(Phase phase, const std::vector<VariantName>& variants) const {
  Request request{.phase = phase, .lab = lab.id, .workload = workload.library.string()};
  for (const VariantName& name : variants)
    for (const auto& [variant, built] : plugins)
      if (variant == name) request.plugins.push_back(plugin_request(variant, built));
  request.sizes = {lab.sizes.large(chosen.simulator)};
  request.seed = seed;
  request.timing = lab.timing;
  request.time_cap_s =
      lab.timing == TimingMode::wall ? policy::time_cap_wall_s : policy::time_cap_s;
  request.minimum_compute_capability = lab.minimum_compute_capability;
  if (lab.gpus > 1) request.gpus = lab.gpus;
  return request;
}

PhaseOutcome PreparedLab::run(const Request& request, const OnCheckEvent& on_event,
                              const std::atomic<bool>& canceled, PhasesAhead* ahead) const {
  const std::string name(to_string(request.phase));
  const auto tell = [&](CheckEvent::Kind kind, std::string text,
                        std::optional<Record> record = {}) {
    if (on_event) on_event({kind, request.phase, std::move(record), std::move(text)});
  };
  tell(CheckEvent::Kind::phase_started, "Running phase " + name);
  PhasesAhead none(tree, lab.time_limit_s, &canceled);
  PhaseOutcome outcome =
      (ahead ? ahead : &none)->run(chosen.simulator, request, [&](const Record& record) {
        tell(CheckEvent::Kind::record, {}, record);
      });
  if (outcome.error && !chosen.simulator) outcome.error = seen_from_room(*outcome.error);
  tell(CheckEvent::Kind::phase_ended,
       outcome.error ? outcome.error->what : "Finished phase " + name);
  return outcome;
}

Result<PreparedLab> prepare_lab(const Tree& tree, const Lab& lab,
                                const std::vector<Variant>& variants, Backend backend,
                                const OnCheckEvent& on_event, const std::atomic<bool>& canceled) {
  PreparedLab prepared{.lab = lab, .tree = tree, .seed = fresh_seed()};
  if (auto chosen = prepared.choose(backend, &canceled); !chosen) return chosen.error();
  if (auto equipped = prepared.equip(); !equipped) return equipped.error();
  if (on_event) on_event({CheckEvent::Kind::phase_started, OwnPhase::build, {}, "Building"});
  for (const Variant& variant : variants)
    if (auto added = prepared.add(variant, &canceled); !added) return added.error();
  if (auto added = prepared.add_workload(&canceled); !added) return added.error();
  if (on_event) on_event({CheckEvent::Kind::phase_ended, OwnPhase::build, {}, "Built"});
  return prepared;
}

}  // namespace klab
