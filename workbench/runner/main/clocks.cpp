// The host's clocks as the kernel file of a measurement reads them: those of the system, or on the
// simulator the one that counts, since the time that the simulator itself takes says nothing. Such
// files are linked so that they call these.
#include <sys/time.h>
#include <time.h>

#include <chrono>
#include <cstdint>

#include "runner/phases/platform.hpp"

namespace {

constexpr std::int64_t second_ns = 1'000'000'000;

/// What std::chrono's clocks hand back: a count of nanoseconds.
template <class Clock>
std::int64_t nanoseconds_of() {
  if (const auto counted = klab::runner::counted_clock()) return counted->count();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
      .count();
}

}  // namespace

extern "C" std::int64_t __wrap__ZNSt6chrono3_V212steady_clock3nowEv() {
  return nanoseconds_of<std::chrono::steady_clock>();
}

extern "C" std::int64_t __wrap__ZNSt6chrono3_V212system_clock3nowEv() {
  return nanoseconds_of<std::chrono::system_clock>();
}

extern "C" int __wrap_clock_gettime(clockid_t id, timespec* time) {
  const auto counted = klab::runner::counted_clock();
  if (!counted || time == nullptr) return ::clock_gettime(id, time);
  time->tv_sec = counted->count() / second_ns;
  time->tv_nsec = counted->count() % second_ns;
  return 0;
}

extern "C" int __wrap_gettimeofday(timeval* time, void* zone) {
  const auto counted = klab::runner::counted_clock();
  if (!counted || time == nullptr) return ::gettimeofday(time, zone);
  time->tv_sec = counted->count() / second_ns;
  time->tv_usec = counted->count() % second_ns / 1000;
  return 0;
}
