// DevicePage: samples from the runner, ceilings from the cache, health of the driver.
#include "ui/background/device_page.hpp"

#include <utility>

#include "core/check/machine.hpp"
#include "core/timing/gpu_lock.hpp"
#include "core/wire/runner_client.hpp"

namespace klab::ui {
namespace {

/// The runner is started anew after this long, so that none outlives a window that died.
constexpr double longest_watch_s = 600;
/// A minute at five a second.
constexpr std::size_t most_samples = 300;
constexpr double refresh_every_s = 2;

}  // namespace

DeviceWatch::~DeviceWatch() {
  canceled_ = true;
  if (thread_.joinable()) thread_.join();
}

void DeviceWatch::want(bool on) {
  if (!on) {
    canceled_ = true;
    const std::lock_guard lock(mutex_);
    problem_.reset();
    return;
  }
  if (!busy_ && !problem()) begin();
}

void DeviceWatch::begin() {
  if (thread_.joinable()) thread_.join();  // it has ended: this does not wait
  canceled_ = false;
  busy_ = true;
  thread_ = std::thread([this] {
    const PhaseOutcome outcome = run_phase(
        tree_, false, Request{.phase = Phase::live, .time_cap_s = longest_watch_s},
        longest_watch_s + 30,
        [this](const Record& record) {
          const auto* sample = std::get_if<record::DeviceSample>(&record);
          if (!sample) return;
          const std::lock_guard lock(mutex_);
          samples_.push_back(*sample);
        },
        &canceled_);
    // One that ends at once, without a word, is not started over and over.
    const bool silent = outcome.all<record::DeviceSample>().empty();
    if ((outcome.error || silent) && !canceled_) {
      const std::lock_guard lock(mutex_);
      problem_ = outcome.error.value_or(
          make_error(ErrorCode::runner_failed, "The runner has nothing to say about the device."));
    }
    busy_ = false;
  });
}

std::vector<record::DeviceSample> DeviceWatch::drain() {
  const std::lock_guard lock(mutex_);
  return std::exchange(samples_, {});
}

std::optional<Error> DeviceWatch::problem() {
  const std::lock_guard lock(mutex_);
  return problem_;
}

Result<Ceilings> measure_device_ceilings(const CeilingsRequest& request,
                                         const OnCheckEvent& on_event,
                                         const std::atomic<bool>& canceled) {
  const auto tell = [&](const std::string& text) {
    on_event({CheckEvent::Kind::phase_started, Phase::ceilings, {}, text});
  };
  const GpuLock lock(
      request.tree, [&] { tell("Another check is using the GPU; waiting in line."); }, canceled);
  tell("Starting the runner");
  return measure_ceilings(request.tree, request.device, tell, &canceled);
}

std::optional<DeviceReport> DevicePage::tick(const Model& model, bool visible, double now_s) {
  const bool real =
      model.machine.device && !model.machine.device->simulated && model.replaying.empty();
  watch_.want(visible && real && !model.running());
  bool changed = false;
  for (record::DeviceSample& sample : watch_.drain()) {
    report_.samples.push_back(std::move(sample));
    changed = true;
  }
  if (report_.samples.size() > most_samples)
    report_.samples.erase(report_.samples.begin(),
                          report_.samples.end() - static_cast<std::ptrdiff_t>(most_samples));
  if (visible && now_s >= next_look_s_ && model.replaying.empty()) {
    next_look_s_ = now_s + refresh_every_s;
    report_.problem = watch_.problem();
    const Result<DeviceFacts> facts =
        real ? Result<DeviceFacts>(*model.machine.device)
             : Result<DeviceFacts>(make_error(ErrorCode::no_device, "There is no CUDA device."));
    // What this machine's driver says is nothing about a runner elsewhere.
    if (model.machine.runner.empty())
      report_.health = {driver_health(), device_health(facts), counters_health(facts)};
    else
      report_.health = {device_health(facts)};
    report_.ceilings_problem.reset();
    if (real) {
      if (auto known = load_ceilings(tree_.cache(), *model.machine.device))
        report_.ceilings = std::move(*known);
      else
        report_.ceilings_problem = known.error();
    }
    changed = true;
  }
  if (!changed) return std::nullopt;
  return report_;
}

}  // namespace klab::ui
