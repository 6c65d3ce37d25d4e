// Sizes beyond 32-bit indices.
#pragma once

#include <set>

#include "core/verdict/variant_name.hpp"
#include "runner/phases/phase_setup.hpp"
#include "runner/problem/affordable.hpp"
#include "runner/verify/patience.hpp"

namespace klab::runner {

/// Tries each kernel file that is not `refused` at each huge size of the request, once: as a whole
/// where there is room and time for it, on the simulator by its addresses alone, the first one
/// whatever time is left. False if one is wrong. Errors: RunnerError.
bool verify_huge_sizes(PhaseSetup& setup, const std::set<VariantName>& refused,
                       const Affordable& affordable, const Patience& patience);

}  // namespace klab::runner
