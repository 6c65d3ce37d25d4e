// Which runner a phase gets.
#include "core/timing/phases_ahead.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <mutex>
#include <utility>

#include "core/timing/interleaved.hpp"
#include "core/wire/runner_client.hpp"

namespace klab {
namespace {

bool same(const Request& one, const Request& other) { return encode(one) == encode(other); }

}  // namespace

PhasesAhead::~PhasesAhead() {
  for (const auto& phase : waiting_) phase->give_up();
  for (const auto& phase : ended_) phase->give_up();
  if (sides_) sides_->give_up();
}

void PhasesAhead::let_go(std::unique_ptr<PhasesAhead> phases) {
  static std::mutex mutex;
  static std::vector<std::future<void>> leaving;
  const std::lock_guard lock(mutex);
  std::erase_if(leaving, [](const std::future<void>& one) {
    return one.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  leaving.push_back(
      std::async(std::launch::async, [phases = std::move(phases)]() mutable { phases.reset(); }));
}

void PhasesAhead::start(const Request& request) {
  if (!tree_.remote.empty()) return;
  const auto runner = tree_.runner(false);
  if (request.phase == Phase::time && sides_ && same(sides_->request(), request)) return;
  if (request.phase == Phase::time)
    sides_ = std::make_unique<RunnerSides>(runner, request, time_limit_s_, canceled_);
  else
    waiting_.push_back(
        std::make_unique<PhaseAhead>(runner, request, time_limit_s_, tree_.open_room));
}

bool PhasesAhead::are_awake() const {
  return std::all_of(waiting_.begin(), waiting_.end(),
                     [](const auto& phase) { return phase->is_awake(); });
}

void PhasesAhead::wait_until_awake() const {
  for (const auto& phase : waiting_) phase->wait_until_awake(canceled_);
}

PhaseOutcome PhasesAhead::run(bool simulator, const Request& request,
                              const std::function<void(const Record&)>& on_record) {
  const bool here = !simulator && tree_.remote.empty();
  if (here && request.phase == Phase::time) {
    start(request);
    wait_until_awake();
    for (const auto& phase : ended_) phase->give_up();
    for (const auto& phase : ended_) phase->at_end();
    return time_interleaved(
        request, [&](const PluginRequest& plugin) { return sides_->start(plugin); }, on_record);
  }
  const auto started = std::find_if(waiting_.begin(), waiting_.end(), [&](const auto& phase) {
    return here && same(phase->request(), request);
  });
  if (started == waiting_.end())
    return run_phase(tree_, simulator, request, time_limit_s_, on_record, canceled_);
  // It lets go of its device while the next phase begins.
  ended_.push_back(std::move(*started));
  waiting_.erase(started);
  return ended_.back()->run(on_record, canceled_);
}

PhaseOutcome PhasesAhead::at_end(Phase phase) const {
  for (const auto& ended : ended_)
    if (ended->request().phase == phase) return ended->at_end();
  return {};
}

}  // namespace klab
