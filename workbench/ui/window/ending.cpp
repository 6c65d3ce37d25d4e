// Ending: signals and exit().
#include "ui/window/ending.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace klab::ui {
namespace {

volatile std::sig_atomic_t asked_by = 0;
std::function<void()>* last_act = nullptr;

/// Threads still run here, so that what a normal exit would destroy stays as it is.
void end_without_display() {
  if (last_act == nullptr) return;
  (*std::exchange(last_act, nullptr))();
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace

Ending::Ending(std::function<void()> last) : last_(std::move(last)) {
  [[maybe_unused]] static const int once = std::atexit(end_without_display);
  last_act = &last_;
  for (const int signal : {SIGHUP, SIGINT, SIGTERM})
    std::signal(signal, [](int number) { asked_by = number; });
}

Ending::~Ending() { last_act = nullptr; }

int Ending::signal() const { return asked_by; }

}  // namespace klab::ui
