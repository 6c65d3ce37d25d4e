// Running warps: basic block after basic block, with divergence, reconvergence and barriers.
#pragma once
#include "simulator/execute/execution.hpp"

namespace klab::sim {

// Why a block gave back its time.
enum class BlockOutcome : std::uint8_t {
  finished,
  waiting,   // its threads poll memory for what other blocks do, or let these go first
  stuck,     // nothing could run: its threads wait for another block of the cluster
  deadlock,  // its threads wait at barriers that no one else will reach
  stopped    // the launch ends early
};

// Runs the warps of a block for as long as one of them can go on.
BlockOutcome run_block(BlockState& block, WorkerState& worker);

// Describes where the threads of a deadlocked block wait.
std::string describe_deadlock(const BlockState& block);

// Fills the slots that stay the same while the function runs (constants, parameters, specials).
void fill_slots(WarpState& state, const FunctionCode& function, const LaunchState& launch,
                const BlockState& block, std::byte* frame, std::uint32_t local_base);
// The same for all warps, of the slots that depend on the block alone.
void fill_block_slots(BlockState& block, const FunctionCode& function, const LaunchState& launch);
void fill_parameter_slots(WarpState& state, const FunctionCode& function,
                          const LaunchState& launch);

}  // namespace klab::sim
