// MachineState: what checks run on, and what it was measured to do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/check/health.hpp"
#include "core/measure/ceilings.hpp"
#include "core/verdict/backend.hpp"
#include "core/verdict/check_result.hpp"
#include "core/wire/protocol.hpp"

namespace klab::ui {

/// The measuring of the device's ceilings.
struct CeilingsRun {
  double began_s = 0;
  std::string text;  ///< the last sentence about it
  bool canceling = false;
};

/// What was gathered for the device page while it was shown.
struct DeviceReport {
  std::vector<record::DeviceSample> samples;  ///< of the last minute, newest last
  std::optional<Error> problem;               ///< why the driver cannot be watched
  Ceilings ceilings;
  std::optional<Error> ceilings_problem;
  std::vector<HealthCheck> health;
};

struct MachineState {
  std::optional<DeviceFacts> device;      ///< what checks run on; absent until it is known
  std::optional<Error> error;             ///< why nothing can be checked here
  std::optional<Error> counter_obstacle;  ///< why hardware counters are refused here
  Backend backend = Backend::automatic;
  std::string runner;  ///< command of a remote runner; empty: this machine's
  DeviceReport report;
  std::optional<CeilingsRun> measuring;
  std::optional<Error> measuring_problem;  ///< why the last measuring gave nothing
};

}  // namespace klab::ui
