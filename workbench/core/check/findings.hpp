// Findings: what works on this machine, and what to do about what does not.
#pragma once

#include <string>

#include "core/base/result.hpp"
#include "core/verdict/check_result.hpp"

namespace klab {

/// One thing that was looked at. `needed`: without it, nothing can be checked at all.
struct Finding {
  std::string subject;
  bool works = false;
  bool needed = false;
  std::string what;
  std::string remedy;
};

Finding good_finding(std::string subject, std::string what);
Finding bad_finding(std::string subject, const Error& error, bool needed = false);

/// Whether an NVIDIA driver is loaded.
Finding driver_finding();
Finding device_finding(const Result<DeviceFacts>& facts);
/// Whether the driver lets this user read hardware counters. Source: NVIDIA, "Permission issue with
/// performance counters" (ERR_NVGPUCTRPERM).
Finding counters_finding(const Result<DeviceFacts>& facts);

/// What keeps a kernel file, while it is checked here, from files, network and other processes.
Finding room_finding(bool open_room);

/// What NVML calls a reason for a lower clock ("power cap"), told in a sentence with what to do.
std::string throttle_sentence(const std::string& reason);

}  // namespace klab
