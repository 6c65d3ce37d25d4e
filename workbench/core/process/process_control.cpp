// A counter that poll() hears, and signals to a process group.
#include "core/process/process_control.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <utility>

namespace klab {

ProcessControl::ProcessControl() : wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void ProcessControl::write(std::string_view text) {
  const std::lock_guard lock(mutex_);
  written_ += text;
  wake();
}

void ProcessControl::close_input() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  wake();
}

void ProcessControl::hand_over(Descriptor descriptor) {
  const std::lock_guard lock(mutex_);
  handed_over_ = std::move(descriptor);
}

Descriptor ProcessControl::take_handed_over() {
  const std::lock_guard lock(mutex_);
  return std::move(handed_over_);
}

void ProcessControl::hold() {
  const std::lock_guard lock(mutex_);
  begun_.reset();
}

void ProcessControl::begin() {
  const std::lock_guard lock(mutex_);
  begun_ = Clock::now();
}

std::optional<ProcessControl::Clock::time_point> ProcessControl::begun() const {
  const std::lock_guard lock(mutex_);
  return begun_;
}

void ProcessControl::pause() { send(SIGSTOP); }
void ProcessControl::go_on() { send(SIGCONT); }

void ProcessControl::started(pid_t group) {
  const std::lock_guard lock(mutex_);
  group_ = group;
}

void ProcessControl::ended() {
  const std::lock_guard lock(mutex_);
  group_ = 0;
}

bool ProcessControl::take(std::string& input) {
  const std::lock_guard lock(mutex_);
  std::uint64_t count = 0;
  [[maybe_unused]] const auto drained = ::read(wake_.get(), &count, sizeof(count));
  input += std::exchange(written_, {});
  return !closed_;
}

void ProcessControl::send(int signal) {
  const std::lock_guard lock(mutex_);
  if (group_ > 0) ::kill(-group_, signal);
}

/// Where there is no counter, run_process() looks at its next interval.
void ProcessControl::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof(one));
}

}  // namespace klab
