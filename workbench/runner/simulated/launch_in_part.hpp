// A launch at a size that nobody could simulate: some of its blocks, in memory of which only what
// they touch exists.
#pragma once

#include <optional>

#include "runner/phases/phase_setup.hpp"

namespace klab::runner {

/// Whether the kernel's addresses are right at `size`: it must not be refused, leave its buffers or
/// write nothing, and where all of its blocks could be run it must reach the end of every output;
/// where not, some of them must not show that it cannot (unreached()). Values are not looked at, as
/// the inputs are zero. nullopt where nothing follows from some blocks: of several kernels, or of
/// one whose blocks wait for each other. Writes what the checker found.
std::optional<record::Verified> launch_in_part(PhaseSetup& setup, const Plugin& plugin,
                                               const Size& size);

}  // namespace klab::runner
