// Sampling at a steady pace, and stepping aside while something is measured.
#include "runner/gpu/live.hpp"

#include <unistd.h>

#include <chrono>
#include <thread>

#include "core/base/tree.hpp"
#include "core/timing/gpu_lock.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/gpu/nvml.hpp"

namespace klab::runner {

void live(const Request& request, RecordWriter& out) {
  using Clock = std::chrono::steady_clock;
  constexpr auto interval = std::chrono::milliseconds(200);
  const Nvml nvml;
  const Tree own{.visible_devices = request.visible_devices};
  if (!nvml.available())
    throw RunnerError(make_error(
        ErrorCode::unsupported, "NVML, the driver's library for clocks and power, does not answer.",
        "It comes with the driver as libnvidia-ml.so.1; in a container, "
        "give the container the capability `utility`."));
  const pid_t parent = ::getppid();
  const auto began = Clock::now();
  const auto end = began + std::chrono::duration<double>(request.time_cap_s);
  for (auto due = began; due < end; due += interval) {
    std::this_thread::sleep_until(due);
    if (::getppid() != parent) return;  // nobody reads any more
    const bool held = gpu_is_held(own);
    record::DeviceSample sample = held ? record::DeviceSample{} : nvml.sample();
    sample.held = held;
    sample.at_s = std::chrono::duration<double>(Clock::now() - began).count();
    out.write(sample);
  }
}

}  // namespace klab::runner
