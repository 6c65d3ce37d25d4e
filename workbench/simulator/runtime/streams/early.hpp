// Kernels that may begin before the one in front of them has ended (programmatic dependent launch).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {

/// Whether the kernel may begin before the one in front of it has ended, as its caller asked for.
/// CUB's merge sort reads what the kernel in front wrote before it waits: that one never lets it
/// begin before its own last block has ended, and it is not for who calls CUB to mend.
bool may_begin_early(const KernelWork& kernel);

/// A kernel that has run, and what it used.
struct EarlyKernel {
  const Work* work = nullptr;
  KernelUses* uses = nullptr;
};

/// What `late` did in no order with one of those in front of it, of which `late` and all but the
/// last may begin before the next one has ended. All have run.
std::optional<Finding> early_race(const EarlyKernel& late, const std::vector<EarlyKernel>& front);

/// Adds what a copy or fill uses of the device's memory; false for other work.
bool add_uses(const Work& work, std::optional<UsesByLine>& uses);
/// What `late` did before it waited for what is in front of it, which uses what `given` says.
std::optional<Finding> given_race(const EarlyKernel& late, UsesByLine& given);

/// How far in front is looked.
inline constexpr std::size_t most_overtaken = 8;

/// Whether a kernel behind this one may overtake the one in front of it.
bool may_be_overtaken(const KernelUses& uses);

/// Of each step of a graph the kernel beside which it may begin.
std::vector<std::optional<std::size_t>> kernels_in_front(const GraphProgram& program);

}  // namespace klab::sim
