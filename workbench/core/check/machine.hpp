// Machine: what this machine can check with, found once and remembered.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "core/base/compute_capability.hpp"
#include "core/base/result.hpp"
#include "core/base/tree.hpp"
#include "core/measure/ceilings.hpp"
#include "core/verdict/backend.hpp"
#include "core/verdict/check_result.hpp"

namespace klab {

/// The GPU's facts: from the cache of this boot and driver, else asked of the runner. Errors:
/// no_device, driver_too_old, runner_failed, no_runner, canceled.
Result<DeviceFacts> gpu_facts(const Tree& tree, bool fresh = false,
                              const std::atomic<bool>* canceled = nullptr);

/// What is built for on this machine: its GPU, or the default where there is none.
ComputeCapability built_for(const Tree& tree);

/// Whether a check with `backend` runs on the simulator. `automatic` takes the GPU where there is
/// one. Errors: those of gpu_facts() where the GPU was asked for.
struct Chosen {
  bool simulator = false;
  DeviceFacts device;

  /// What is built for it.
  ComputeCapability capability() const {
    return device.compute_capability.value_or(default_compute_capability);
  }
};
Result<Chosen> choose_backend(const Tree& tree, Backend backend,
                              const std::atomic<bool>* canceled = nullptr);

/// The error of a phase that runs kernel files on a device which was found before: where that phase
/// finds none, its closed room hides it.
Error seen_from_room(const Error& error);

/// The ceilings of `device`, measured now if they are not in the cache and `measure` is set;
/// `on_text` is told before.
Result<Ceilings> ceilings_of(const Tree& tree, const DeviceFacts& device, bool measure,
                             const std::function<void(const std::string&)>& on_text,
                             const std::atomic<bool>* canceled);

/// Measures the ceilings of `device` now and keeps them in the cache; those of before stay there
/// until then. `on_text` is told what is measured. Errors: those of the runner, canceled, io.
Result<Ceilings> measure_ceilings(const Tree& tree, const DeviceFacts& device,
                                  const std::function<void(const std::string&)>& on_text,
                                  const std::atomic<bool>* canceled);

/// A seed nobody chose.
std::uint64_t fresh_seed();

}  // namespace klab
