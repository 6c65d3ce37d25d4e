// The verify phase: is the answer right, is all of it there, and is nothing else touched?
#pragma once

#include "runner/phases/session.hpp"
#include "runner/problem/problem_memory.hpp"

namespace klab::runner {

/// Every size with every kernel file, twice in one process, so that an answer cached by the first
/// call is caught: first with usual inputs, then with what else the contract allows. Writes one
/// Verified per kernel file and size. A launch that CUDA refuses ends that kernel file with a
/// Failure; a device fault ends the phase.
void verify(Session& session);

/// One checked launch on `memory` as filled. Errors: RunnerError with the variant, for launches
/// that CUDA refuses and for device faults.
record::Verified verify_once(Session& session, const Plugin& plugin, ProblemMemory& memory,
                             unsigned char poison);

/// The seed of the usual inputs of a size: different for each size and each `turn` of one request.
std::uint64_t derived_seed(std::uint64_t seed, const Size& size, int turn);

}  // namespace klab::runner
