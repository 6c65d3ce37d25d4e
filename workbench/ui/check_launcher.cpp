// CheckLauncher: one worker thread for one check.
#include <utility>

#include "ui/launcher.hpp"

namespace klab::ui {

CheckLauncher::CheckLauncher(CheckFunction check, std::function<void()> wake)
    : check_(std::move(check)), wake_(std::move(wake)) {}

CheckLauncher::~CheckLauncher() {
  canceled_ = true;
  if (thread_.joinable()) thread_.join();
}

void CheckLauncher::start(CheckRequest request) {
  if (busy_) return;
  if (thread_.joinable()) thread_.join();  // the last one has ended: this does not wait
  canceled_ = false;
  busy_ = true;
  thread_ = std::thread([this, request = std::move(request)] {
    CheckResult result = check_(
        request, [this](const CheckEvent& event) { push(event); }, canceled_);
    busy_ = false;
    push(std::move(result));
  });
}

std::vector<RunEvent> CheckLauncher::drain() {
  const std::lock_guard lock(mutex_);
  return std::exchange(queue_, {});
}

void CheckLauncher::push(RunEvent event) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(event));
  }
  if (wake_) wake_();
}

}  // namespace klab::ui
