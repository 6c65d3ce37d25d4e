// The timeline phase: a few runs of every kernel file, with all that CUPTI records of them.
#pragma once

#include "runner/phases/phase_setup.hpp"

namespace klab::runner {

/// Writes batches of spans and a TimelineEnd for each kernel file. Errors: RunnerError.
void record_timeline(PhaseSetup& setup);

}  // namespace klab::runner
