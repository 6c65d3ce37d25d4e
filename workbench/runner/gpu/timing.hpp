// The time phase of one process: launches as they are asked for, each timed and captured.
#pragma once

#include <functional>

#include "runner/phases/phase_setup.hpp"

namespace klab::runner {

/// Asks for memory, then calls `begin`, which loads the kernel files; ends where that is false.
/// In turns: answers each Turn on standard input, for the one kernel file of the request, until the
/// input ends. Otherwise, for profilers: samples every kernel file in turn until the time cap, and
/// verifies the last launch of each. Writes Timed at the end. Errors: RunnerError.
void time(PhaseSetup& setup, const std::function<bool()>& begin);

}  // namespace klab::runner
