// Kernels that may begin before the one in front of them has ended (programmatic dependent launch).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {

/// What `late` did before it waited for the kernel in front of it, and that one did as well, in no
/// order. Both have run.
std::optional<Finding> early_race(const Work& late, KernelUses& late_uses, const Work& front,
                                  KernelUses& front_uses);

/// Of each step of a graph the kernel beside which it may begin.
std::vector<std::optional<std::size_t>> kernels_in_front(const GraphProgram& program);

}  // namespace klab::sim
