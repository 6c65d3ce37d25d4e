// Launches in which the last warp of each block begins first.
#pragma once

#include <set>

#include "runner/phases/phase_setup.hpp"
#include "runner/problem/affordable.hpp"

namespace klab::runner {

/// On the simulator, which else lets the first warp of a block run ahead: what that one sets by an
/// atomic or volatile access, with no barrier behind it, the others may meet unset on a GPU; and
/// what several read and write by turns there, may be lost. One small size, and one of up to a
/// million elements where its launch is short. True if all are right.
bool verify_warps_in_reverse(PhaseSetup& setup, std::set<VariantName>& refused,
                             const Affordable& affordable);

}  // namespace klab::runner
