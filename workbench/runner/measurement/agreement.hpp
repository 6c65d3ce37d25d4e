// The phase agreement: what the kernel file of a measurement reports, held against the truth.
#pragma once

#include "runner/phases/phase_setup.hpp"

namespace klab::runner {

/// Lets each kernel file measure the jobs of freshly drawn problems, measures the same jobs in the
/// same process right behind, and writes how far apart the two are. On the simulator both read the
/// clock that counts. Errors: RunnerError.
void agreement(PhaseSetup& setup);

}  // namespace klab::runner
