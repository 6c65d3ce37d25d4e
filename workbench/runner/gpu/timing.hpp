// The time phase: interleaved samples of every kernel file, cold L2, until the interval is narrow.
#pragma once

#include "runner/phases/session.hpp"

namespace klab::runner {

/// Writes a Sample per kernel file and round, one Verified per kernel file on new inputs at the
/// timing size, and Timed. The first kernel file is the reference of the ratios. Errors:
/// RunnerError.
void time(Session& session);

}  // namespace klab::runner
