// PreparedLab: a lab's kernels and workload as libraries for one backend, ready to run phase by
// phase. Whatever runs a lab prepares it here.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/build/plugin_builder.hpp"
#include "core/build/toolchain.hpp"
#include "core/check/check_event.hpp"
#include "core/check/machine.hpp"
#include "core/verdict/variant_name.hpp"
#include "core/wire/runner_client.hpp"

namespace klab {

class PhasesAhead;

/// What a runner is told of a kernel file that was built.
PluginRequest plugin_request(const VariantName& variant, const BuiltPlugin& built);

struct PreparedLab {
  Lab lab;
  GivenTree tree;
  Toolchain toolchain;
  Chosen chosen;
  BuiltPlugin workload;
  std::vector<Variant> sources;                              ///< what the plugins were built from
  std::vector<std::pair<VariantName, BuiltPlugin>> plugins;  ///< by variant, as asked for
  std::uint64_t seed = 0;

  /// Takes the device that `backend` means. Errors: those of choose_backend().
  Result<> choose(Backend backend, const std::atomic<bool>* canceled);
  /// Finds the toolkit for the chosen device. Errors: those of find_toolchain(); no_device if the
  /// lab cannot run there.
  Result<> equip();
  /// Builds a kernel file, from then on one of `plugins` under its name. Its library is called so
  /// too, unless `library` calls it otherwise. Errors: those of build_plugin().
  Result<> add(const Variant& variant, const std::atomic<bool>* canceled,
               const VariantName& library = {});
  /// Builds the workload. Errors: those of build_workload().
  Result<> add_workload(const std::atomic<bool>* canceled);

  /// A request of these variants, as far as they are there, or of all, at the size of this backend:
  /// the lab's timing size on a GPU, its simulator size on the simulator.
  Request request(Phase phase) const;
  Request request(Phase phase, const std::vector<VariantName>& variants) const;
  /// One phase in a runner of its own, under the lab's time limit; in one of `ahead`, where that
  /// was started for it.
  PhaseOutcome run(const Request& request, const OnCheckEvent& on_event,
                   const std::atomic<bool>& canceled, PhasesAhead* ahead = nullptr) const;
};

/// All of it: chooses the backend, then builds `variants` and the workload (from the cache where
/// nothing changed). Errors: those of choose_backend(), find_toolchain() and build_plugin();
/// no_device if the lab cannot run there.
Result<PreparedLab> prepare_lab(const Tree& tree, const Lab& lab,
                                const std::vector<Variant>& variants, Backend backend,
                                const OnCheckEvent& on_event, const std::atomic<bool>& canceled);

}  // namespace klab
