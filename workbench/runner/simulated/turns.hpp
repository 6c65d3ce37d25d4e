// What a block does wrong only once its loop comes round again.
#pragma once

#include "runner/phases/phase_setup.hpp"

namespace klab::runner {

/// Runs one block of each kernel at `size` with checks, on real inputs, as far as
/// budget_of_turns goes, and writes what is out of order within the block. Where the sizes that
/// are simulated whole give each block of a persistent grid one tile, its loop turns once there;
/// at a size for which nobody has enough blocks it turns many times. Graphs, and kernels that read
/// what the blocks that were left out would have written, are not looked at.
void look_at_turns(PhaseSetup& setup, const Plugin& plugin, const Size& size);

}  // namespace klab::runner
