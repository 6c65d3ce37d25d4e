// The ceilings phase: what this device does at best.
#pragma once

#include "core/wire/protocol.hpp"
#include "runner/device/record_writer.hpp"

namespace klab::runner {

/// Measures every entry of core's ceiling_catalogue() that the device can do, about 50 ms each, and
/// writes them as one CeilingSet. Errors: RunnerError.
void ceilings(RecordWriter& out);

}  // namespace klab::runner
