// What a phase of timing found: its samples, and what they tell of flawed kernel and candidate.
#pragma once

#include "core/verdict/check_result.hpp"
#include "core/wire/phase_outcome.hpp"

namespace klab {

/// What the phase said at its end; nullopt if it broke off.
std::optional<record::Timed> timed_by(const PhaseOutcome& outcome);

/// Of a phase that broke off the samples alone: they are there to be seen, and nothing is concluded
/// from them.
Timing timing_of(const PhaseOutcome& outcome);

}  // namespace klab
