#include "simulator/runtime/streams/waits/unseen_waits.hpp"

#include <pthread.h>

#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

#include "simulator/base/host_arithmetic.hpp"
#include "simulator/runtime/state/runtime.hpp"
#include "simulator/runtime/state/within_call.hpp"

namespace klab::sim {
namespace {

constexpr std::chrono::milliseconds between_looks{50};
constexpr int looks_without_a_call = 3;

[[noreturn]] void look_now_and_then() {
  const DefaultArithmetic arithmetic;
  Runtime& runtime = Runtime::instance();
  std::uint64_t calls = 0;
  for (int looks = 0;; ++looks) {
    std::this_thread::sleep_for(between_looks);
    const std::unique_lock lock(runtime.mutex, std::try_to_lock);
    if (!lock.owns_lock() || runtime.streams.idle() || runtime.ticks != calls) {
      if (lock.owns_lock()) calls = runtime.ticks;
      looks = 0;
      continue;
    }
    if (looks < looks_without_a_call) continue;
    const WithinCall within;
    runtime.streams.run_what_the_host_waits_for();
    calls = runtime.ticks;
    looks = 0;
  }
}

}  // namespace

void UnseenWaits::watch() {
  if (watched_ || !Runtime::instance().settings.unseen_waits) return;
  watched_ = true;
  // Signals are the host program's: they go to its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread(look_now_and_then).detach();
  } catch (const std::system_error&) {  // without it such a program does not end
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace klab::sim
