#include "simulator/runtime/streams/waits/unseen_waits.hpp"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

#include "simulator/base/host_arithmetic.hpp"
#include "simulator/base/own_threads.hpp"
#include "simulator/runtime/state/runtime.hpp"
#include "simulator/runtime/state/within_call.hpp"

namespace klab::sim {
namespace {

/// Who waited so once does it again: the looks come sooner then.
constexpr std::chrono::microseconds longest_pause{50'000}, shortest_pause{50};
constexpr int looks_without_a_call = 3;

[[noreturn]] void look_now_and_then() {
  begin_watching();
  const DefaultArithmetic arithmetic;
  Runtime& runtime = Runtime::instance();
  std::uint64_t calls = 0;
  auto pause = longest_pause;
  for (int looks = 0;; ++looks) {
    std::this_thread::sleep_for(pause);
    const std::unique_lock lock(runtime.mutex, std::try_to_lock);
    if (!lock.owns_lock() || runtime.streams.idle() || runtime.ticks != calls) {
      if (lock.owns_lock()) calls = runtime.ticks;
      looks = 0;
      pause = std::min(pause + pause / 8, longest_pause);
      continue;
    }
    if (looks < looks_without_a_call) continue;
    const WithinCall within;
    if (runtime.streams.run_what_the_host_waits_for()) pause = std::max(pause / 2, shortest_pause);
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
