// More launches of what was right once.
#pragma once

#include <set>

#include "runner/phases/phase_setup.hpp"
#include "runner/problem/affordable.hpp"
#include "runner/verify/patience.hpp"

namespace klab::runner {

/// Of the time that there is: what is tried beyond the sizes that a request names ends with it, and
/// sizes beyond 2^31, which come last, have the rest kept for them.
inline constexpr double share_of_long_ones = 0.6;

/// Small sizes whose launches are short, again: with the warps in reverse, with one buffer or
/// element changed, in the memory of the one before, and many asked for at once. True if all are
/// right.
bool verify_small_sizes_again(PhaseSetup& setup, std::set<VariantName>& refused,
                              const Affordable& affordable, const Patience& patience);

/// A large size with one element changed: results may be kept for large problems alone. True if
/// all are right.
bool verify_one_changed(PhaseSetup& setup, std::set<VariantName>& refused,
                        const Affordable& affordable, const Patience& patience);

}  // namespace klab::runner
