// Preparing a lab: device, toolkit, libraries.
#include "core/check/prepared_lab.hpp"

#include "core/check/checkable.hpp"
#include "core/measure/measure_policy.hpp"
#include "core/timing/interleaved.hpp"

namespace klab {

Request PreparedLab::request(Phase phase) const {
  Request request{.phase = phase, .lab = lab.id, .workload = workload.library.string()};
  for (const auto& [variant, built] : plugins)
    request.plugins.push_back({variant, built.library.string()});
  request.sizes = {lab.sizes.large(chosen.simulator)};
  request.seed = seed;
  request.timing = lab.timing;
  request.time_cap_s = policy::time_cap_s;
  request.minimum_compute_capability = lab.minimum_compute_capability;
  return request;
}

PhaseOutcome PreparedLab::run(const Request& request, const OnCheckEvent& on_event,
                              const std::atomic<bool>& canceled) const {
  const std::string name(to_string(request.phase));
  const auto tell = [&](CheckEvent::Kind kind, std::string text,
                        std::optional<Record> record = {}) {
    if (on_event) on_event({kind, name, std::move(record), std::move(text)});
  };
  tell(CheckEvent::Kind::phase_started, "Running phase " + name);
  PhaseOutcome outcome = run_check_phase(
      tree, chosen.simulator, request, lab.time_limit_s,
      [&](const Record& record) { tell(CheckEvent::Kind::record, {}, record); }, &canceled);
  if (outcome.error && !chosen.simulator) outcome.error = seen_from_room(*outcome.error);
  tell(CheckEvent::Kind::phase_ended,
       outcome.error ? outcome.error->what : "Finished phase " + name);
  return outcome;
}

Result<PreparedLab> prepare_lab(const Tree& tree, const Lab& lab,
                                const std::vector<Variant>& variants,
                                Backend backend, const OnCheckEvent& on_event,
                                const std::atomic<bool>& canceled) {
  PreparedLab prepared{.lab = lab, .tree = tree, .sources = variants, .seed = fresh_seed()};
  auto chosen = choose_backend(prepared.tree, backend, &canceled);
  if (!chosen) return chosen.error();
  prepared.chosen = std::move(*chosen);
  auto toolchain = find_toolchain(prepared.tree);
  if (!toolchain) return toolchain.error();
  prepared.toolchain = std::move(*toolchain);
  DeviceFacts& device = prepared.chosen.device;
  device.toolkit = prepared.toolchain.version;
  const int capability = device.compute_capability;
  if (const auto obstacle = obstacle_of(lab, device)) return obstacle->error;

  if (on_event) on_event({CheckEvent::Kind::phase_started, "build", {}, "Building"});
  for (const Variant& variant : variants) {
    auto built = build_plugin(prepared.tree, prepared.toolchain, lab, variant.name, variant.path,
                              capability, &canceled);
    if (!built) return built.error();
    prepared.plugins.emplace_back(variant.name, std::move(*built));
  }
  auto workload = build_workload(prepared.tree, prepared.toolchain, lab, capability, &canceled);
  if (!workload) return workload.error();
  prepared.workload = std::move(*workload);
  if (on_event) on_event({CheckEvent::Kind::phase_ended, "build", {}, "Built"});
  return prepared;
}

}  // namespace klab
