// Sizes beyond 32-bit indices, and beyond the shared memory of a block.
#pragma once

#include <set>

#include "core/verdict/variant_name.hpp"
#include "runner/phases/phase_setup.hpp"
#include "runner/problem/affordable.hpp"
#include "runner/verify/patience.hpp"

namespace klab::runner {

/// Tries each kernel file that is not `refused` at each huge size of the request, once, and in
/// front of them at the first size at which its blocks would need more shared memory than there is:
/// as a whole where there is room and time for it, on the simulator by its addresses alone, the
/// first one whatever time is left. False if one is wrong. Errors: RunnerError.
bool verify_huge_sizes(PhaseSetup& setup, const std::set<VariantName>& refused,
                       const Affordable& affordable, const Patience& patience);

}  // namespace klab::runner
