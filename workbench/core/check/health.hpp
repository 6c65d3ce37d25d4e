// HealthCheck: what works on this machine, and what to do about what does not.
#pragma once

#include <string>

#include "core/base/result.hpp"
#include "core/verdict/check_result.hpp"

namespace klab {

/// One thing that was looked at. `needed`: without it, nothing can be checked at all.
struct HealthCheck {
  std::string subject;
  bool works = false;
  bool needed = false;
  std::string what;
  Advice remedy;
};

HealthCheck healthy(std::string subject, std::string what);
HealthCheck unhealthy(std::string subject, const Error& error, bool needed = false);

/// Whether an NVIDIA driver is loaded.
HealthCheck driver_health();
HealthCheck device_health(const Result<DeviceFacts>& facts);
/// Whether the driver lets this user read hardware counters. Source: NVIDIA, "Permission issue with
/// performance counters" (ERR_NVGPUCTRPERM).
HealthCheck counters_health(const Result<DeviceFacts>& facts);

/// What keeps a kernel file, while it is checked here, from files, network and other processes.
HealthCheck room_health(bool open_room);

/// What NVML calls a reason for a lower clock ("power cap"), told in a sentence with what to do.
std::string throttle_sentence(const std::string& reason);

}  // namespace klab
