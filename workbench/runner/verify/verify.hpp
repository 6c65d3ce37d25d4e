// The verify phase: is the answer right, is all of it there, and is nothing else touched?
#pragma once

#include "runner/phases/phase_setup.hpp"

namespace klab::runner {

/// Every size with every kernel file, twice in one process, so that an answer cached by the first
/// call is caught: first with usual inputs, then with what else the contract allows. Writes one
/// Verified per kernel file and size. A launch that CUDA refuses ends that kernel file with a
/// Failure; a device fault ends the phase.
void verify(PhaseSetup& setup);

}  // namespace klab::runner
