// device_facts: what the CUDA runtime and the platform know about the device.
#pragma once

#include "core/wire/protocol.hpp"

namespace klab::runner {

/// Facts of the current device. Errors: RunnerError with no_device or driver_too_old.
DeviceFacts device_facts(Phase phase);

}  // namespace klab::runner
