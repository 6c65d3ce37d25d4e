// Nvml: clocks, power, temperature and throttle reasons, from the library that comes with the
// driver, if it is there.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/wire/protocol.hpp"

namespace klab::runner {

/// Every function answers "not known" where libnvidia-ml.so.1 is missing or refuses.
class Nvml {
 public:
  /// Opens the library for the current CUDA device, found by its PCI bus id.
  Nvml();
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// The library is there and knows the device.
  bool available() const { return device_ != nullptr; }
  std::optional<double> sm_clock_mhz() const;
  /// Why the clock is held down at this moment, as a bit mask of NVML's clock event reasons; idling
  /// and application clocks are not reasons to doubt a sample and are left out.
  unsigned long long throttle_reasons() const;
  std::optional<std::string> driver_version() const;
  /// Everything that the live view shows, but for the time; each value that NVML refuses is absent.
  record::DeviceSample sample() const;

 private:
  struct Functions;
  void* library_ = nullptr;
  void* device_ = nullptr;
  const Functions* functions_ = nullptr;
};

/// "power cap", "thermal slowdown", ... for the bits of throttle_reasons().
std::vector<std::string> name_throttle_reasons(unsigned long long reasons);

/// Asks NVML at most so often that asking costs under a twentieth of the time, and remembers.
class ClockWatch {
 public:
  /// The SM clock, at most a few milliseconds old. Notes throttle reasons.
  std::optional<double> look();
  /// All reasons seen by look() so far.
  std::vector<std::string> throttle_reasons() const { return name_throttle_reasons(reasons_); }

 private:
  using Clock = std::chrono::steady_clock;
  Nvml nvml_;
  std::optional<double> clock_mhz_;
  unsigned long long reasons_ = 0;
  Clock::time_point next_{};
};

}  // namespace klab::runner
