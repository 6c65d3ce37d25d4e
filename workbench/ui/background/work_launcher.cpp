// WorkLauncher: one worker thread for one thing at a time.
#include <utility>

#include "ui/background/launcher.hpp"

namespace klab::ui {

WorkLauncher::WorkLauncher(Work work, std::function<void()> wake)
    : work_(std::move(work)), wake_(std::move(wake)) {}

WorkLauncher::~WorkLauncher() {
  canceled_ = true;
  if (thread_.joinable()) thread_.join();
}

void WorkLauncher::start(CheckRequest request) {
  run([this, request = std::move(request)]() -> RunEvent {
    return work_.check(
        request, [this](const CheckEvent& event) { push(event); }, canceled_);
  });
}

void WorkLauncher::investigate(InvestigationRequest request) {
  run([this, request = std::move(request)]() -> RunEvent {
    return work_.investigate(
        request, [this](const CheckEvent& event) { push(event); }, canceled_);
  });
}

void WorkLauncher::measure_ceilings(CeilingsRequest request) {
  run([this, request = std::move(request)]() -> RunEvent {
    return work_.measure_ceilings(
        request, [this](const CheckEvent& event) { push(event); }, canceled_);
  });
}

void WorkLauncher::run(std::function<RunEvent()> act) {
  if (busy_) return;
  if (thread_.joinable()) thread_.join();  // the last one has ended: this does not wait
  canceled_ = false;
  busy_ = true;
  thread_ = std::thread([this, act = std::move(act)] {
    RunEvent last = act();
    busy_ = false;
    push(std::move(last));
  });
}

std::vector<RunEvent> WorkLauncher::drain() {
  const std::lock_guard lock(mutex_);
  return std::exchange(queue_, {});
}

void WorkLauncher::push(RunEvent event) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(event));
  }
  if (wake_) wake_();
}

}  // namespace klab::ui
