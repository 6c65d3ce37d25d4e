// The live phase: what the driver reports of the device, again and again.
#pragma once

#include "core/wire/protocol.hpp"
#include "runner/device/record_writer.hpp"

namespace klab::runner {

/// Samples NVML for request.time_cap_s. Creates no context on the device. Errors: RunnerError.
void live(const Request& request, RecordWriter& out);

}  // namespace klab::runner
