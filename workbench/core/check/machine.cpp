// Asking the runner for the device, and remembering its answer for this boot and driver.
#include "core/check/machine.hpp"

#include <nlohmann/json.hpp>
#include <random>

#include "core/base/text.hpp"
#include "core/base/text/json_text.hpp"
#include "core/check/health.hpp"
#include "core/verdict/json/check_result_json.hpp"
#include "core/verdict/json/json_reading.hpp"
#include "core/wire/runner_client.hpp"

namespace klab {
namespace {

constexpr double device_time_limit_s = 30;
constexpr double ceilings_time_limit_s = 60;

/// What makes cached facts stale: another boot, driver or choice of visible devices.
std::string cache_key(const Tree& tree) {
  std::string key;
  for (const char* path : {"/proc/sys/kernel/random/boot_id", "/proc/driver/nvidia/version"})
    if (const auto text = read_file(path, 1 << 16)) key += *text;
  return key + tree.visible_devices;
}

std::filesystem::path device_file(const Tree& tree) { return tree.cache() / "device.json"; }

std::optional<DeviceFacts> cached_facts(const Tree& tree) {
  const auto text = read_file(device_file(tree), 1 << 16);
  if (!text) return std::nullopt;
  const auto json = json_from(*text);
  if (!json.is_object() || json_reading::get<std::string>(json, "key", {}) != cache_key(tree))
    return std::nullopt;
  return device_from(json_reading::part(json, "facts"));
}

/// A runner that was named is the one that is used: nothing falls back to this machine.
Result<Chosen> choose_remote(const Tree& tree, Backend backend, const std::atomic<bool>* canceled) {
  auto facts = gpu_facts(tree, false, canceled);
  if (!facts) return facts.error();
  if (backend == Backend::gpu && facts->simulated)
    return make_error(ErrorCode::no_device, "The runner `" + tree.remote + "` has no GPU.",
                      "Name a klab-runner-gpu with --runner.");
  if (backend == Backend::simulator && !facts->simulated)
    return make_error(ErrorCode::usage, "The runner `" + tree.remote + "` is no simulator.",
                      "Leave --runner and KLAB_RUNNER out to use the simulator of this machine.");
  return Chosen{facts->simulated, *facts};
}

}  // namespace

Result<DeviceFacts> gpu_facts(const Tree& tree, bool fresh, const std::atomic<bool>* canceled) {
  // What stands behind a remote runner's command may change from one call to the next.
  if (!fresh && tree.remote.empty())
    if (auto facts = cached_facts(tree); facts && facts->compute_capability && facts->gpus)
      return *facts;
  // Nobody waits for the build of what runs on a GPU where there is none.
  if (std::error_code ignored; tree.remote.empty() &&
                               !std::filesystem::exists(tree.runner(false), ignored) &&
                               !driver_health().works)
    return no_driver();
  const PhaseOutcome outcome =
      run_phase(tree, false, Request{.phase = Phase::device}, device_time_limit_s, {}, canceled);
  const auto devices = outcome.all<record::Device>();
  if (devices.empty())
    return outcome.error.value_or(
        make_error(ErrorCode::no_device, "The runner found no CUDA device."));
  if (!tree.remote.empty()) return devices.front().facts;
  // A cache that cannot be written costs a third of a second each time, nothing else.
  (void)write_file(device_file(tree),
                   json_text(nlohmann::json{{"key", cache_key(tree)},
                                            {"facts", to_json(devices.front().facts)}}));
  return devices.front().facts;
}

ComputeCapability built_for(const Tree& tree) {
  const auto facts = gpu_facts(tree);
  const auto known = facts ? facts->compute_capability : std::nullopt;
  return known.value_or(default_compute_capability);
}

Result<Chosen> choose_backend(const Tree& tree, Backend backend,
                              const std::atomic<bool>* canceled) {
  if (!tree.remote.empty()) return choose_remote(tree, backend, canceled);
  if (backend != Backend::simulator) {
    auto facts = gpu_facts(tree, false, canceled);
    if (facts) return Chosen{false, *facts};
    std::error_code ignored;
    const bool can_simulate = std::filesystem::exists(tree.runner(true), ignored);
    if (backend == Backend::gpu || !can_simulate) return facts.error();
  }
  Chosen chosen{.simulator = true};
  chosen.device.name = "simulated sm_90 (no timing)";
  chosen.device.simulated = true;
  chosen.device.compute_capability = default_compute_capability;
  return chosen;
}

Error seen_from_room(const Error& error) {
  if (error.code != ErrorCode::no_device) return error;
  return make_error(
      ErrorCode::no_device,
      "The GPU is there, but not seen from the closed room in which kernel files run: " +
          error.what,
      "This driver needs something that the room keeps from it. With KLAB_ROOM=open in "
      "the environment kernel files run outside, with all your rights.",
      error.detail);
}

Result<Ceilings> ceilings_of(const Tree& tree, const DeviceFacts& device, bool measure,
                             const std::function<void(const std::string&)>& on_text,
                             const std::atomic<bool>* canceled) {
  auto known = load_ceilings(tree.cache(), device);
  if ((known && !known->values.empty()) || !measure) return known;
  if (on_text) on_text("Measuring what this device can do at best, once.");
  return measure_ceilings(tree, device, {}, canceled);
}

Result<Ceilings> measure_ceilings(const Tree& tree, const DeviceFacts& device,
                                  const std::function<void(const std::string&)>& on_text,
                                  const std::atomic<bool>* canceled) {
  const auto tell = [&](const Record& record) {
    const auto* progress = std::get_if<record::Progress>(&record);
    if (!progress || !on_text) return;
    std::string text = progress->step;
    if (progress->index && progress->total)
      text += ", " + std::to_string(*progress->index) + " of " + std::to_string(*progress->total);
    on_text(text);
  };
  const PhaseOutcome outcome = run_phase(tree, false, Request{.phase = Phase::ceilings},
                                         ceilings_time_limit_s, tell, canceled);
  const auto sets = outcome.all<record::CeilingSet>();
  if (sets.empty())
    return outcome.error.value_or(
        make_error(ErrorCode::runner_failed, "The runner measured no ceiling."));
  if (auto saved = save_ceilings(tree.cache(), device, now_utc(), sets.front().values); !saved)
    return saved.error();
  return load_ceilings(tree.cache(), device);
}

std::uint64_t fresh_seed() {
  std::random_device source;
  // 53 bits, so that the seed survives readers of JSON that hold every number as a double.
  return (std::uint64_t{source()} << 32 | source()) >> 11;
}

}  // namespace klab
