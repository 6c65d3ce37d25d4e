// Samples on request. Who asks decides order, number and what is verified; nothing of that is known
// here before it has to be.
#include "runner/gpu/timing.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/measure/measure_policy.hpp"
#include "core/timing/processors.hpp"
#include "runner/device/nvtx_range.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/gpu/nvml.hpp"
#include "runner/memory/local_memory.hpp"
#include "runner/memory/shared_pages.hpp"
#include "runner/phases/launch.hpp"
#include "runner/phases/trial.hpp"
#include "runner/problem/least_work.hpp"

namespace klab::runner {
namespace {

using Clock = std::chrono::steady_clock;

/// The clocks of all devices of a launch.
class ClockWatches {
 public:
  explicit ClockWatches(const SecondDevice* second) {
    if (second == nullptr) return;
    const CurrentDevice there(second->number());
    second_.emplace();
  }
  /// The slower one's, which both wait for.
  std::optional<double> look() {
    const auto mhz = first_.look(), other = second_ ? second_->look() : std::nullopt;
    return mhz && other ? std::min(*mhz, *other) : mhz ? mhz : other;
  }
  std::vector<std::string> throttle_reasons() const {
    auto reasons = first_.throttle_reasons();
    if (second_)
      for (std::string& reason : second_->throttle_reasons())
        if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end())
          reasons.push_back(std::move(reason));
    return reasons;
  }

 private:
  ClockWatch first_;
  std::optional<ClockWatch> second_;
};

class Sampler {
 public:
  explicit Sampler(PhaseSetup& setup)
      : setup_(setup), size_(setup.request.sizes.front()), clocks_(setup.second_device()) {
    make_trial(1);
    share_pages(setup.request, trial_->edges());
  }

  void sample(const Plugin& plugin, std::uint64_t seed, int launches,
              std::optional<int> processor = {}) {
    const NvtxRange range("sample", plugin.variant());
    if (launches != asked_for_) make_trial(launches);
    if (moves_local_memory(plugin)) {
      wait_for_device(setup_, plugin);
      local_memory_.move(seed);
    }
    trial_->prepare(plugin, seed);
    if (processor) migrate_to(*processor);
    const auto seconds = trial_->run(plugin);
    setup_.out.write(
        record::Sample{plugin.variant(), seconds.value_or(0), clocks_.look(), trial_->launches()});
  }

  void verify(const Plugin& plugin) { setup_.out.write(trial_->verify(plugin)); }

  void end() {
    record::Timed timed;
    timed.throttle_reasons = clocks_.throttle_reasons();
    timed.launches_per_sample = trial_->launches();
    timed.least = least_work(*setup_.workload, size_);
    setup_.out.write(timed);
  }

 private:
  /// What that changes, the host's clock would not see.
  bool moves_local_memory(const Plugin& plugin) const {
    const auto& asked = setup_.request.plugins;
    return setup_.request.timing == TimingMode::device &&
           std::any_of(asked.begin(), asked.end(), [&](const PluginRequest& one) {
             return one.variant == plugin.variant() && one.uses_local_memory;
           });
  }
  /// The old one goes first: the device may not hold both.
  void make_trial(int launches) {
    trial_.reset();
    trial_ = std::make_unique<Trial>(setup_, size_, Where::device, launches);
    asked_for_ = launches;
  }

  PhaseSetup& setup_;
  Size size_;
  std::unique_ptr<Trial> trial_;
  int asked_for_ = 1;
  LocalMemory local_memory_;
  ClockWatches clocks_;
};

void in_turns(PhaseSetup& setup, Sampler& sampler) {
  const Plugin& plugin = setup.plugins.front();
  for (std::string line; std::getline(std::cin, line);) {
    const auto turn = decode_turn(line);
    if (!turn) throw RunnerError(turn.error());
    if (turn->act == Turn::Act::verify)
      sampler.verify(plugin);
    else
      sampler.sample(plugin, turn->seed, turn->launches, turn->processor);
  }
}

void on_its_own(PhaseSetup& setup, Sampler& sampler) {
  const Request& request = setup.request;
  std::uint64_t turn = 0;
  const auto sample = [&](const Plugin& plugin) {
    sampler.sample(plugin, derived_seed(request.seed, request.sizes.front(), turn++), 1);
  };
  for (const Plugin& plugin : setup.plugins) {
    const NvtxRange range("warm-up", plugin.variant());
    for (int i = 0; i < policy::warm_up_launches; ++i) sample(plugin);
  }
  const auto end = Clock::now() + std::chrono::duration<double>(request.time_cap_s);
  do
    for (const Plugin& plugin : setup.plugins) sample(plugin);
  while (Clock::now() < end);
  for (const Plugin& plugin : setup.plugins) {
    sample(plugin);
    sampler.verify(plugin);
  }
}

}  // namespace

void time(PhaseSetup& setup, const std::function<bool()>& begin) {
  setup.out.progress("making room for " + to_string(setup.request.sizes.front()));
  Sampler sampler(setup);
  if (!begin()) return;
  setup.out.progress("sampling");
  if (setup.request.in_turns)
    in_turns(setup, sampler);
  else
    on_its_own(setup, sampler);
  sampler.end();
}

}  // namespace klab::runner
