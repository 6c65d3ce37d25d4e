// The contract of lab 22: heat on a ring of cells, with a thermostat on the host that looks at one
// cell after each step.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Arrays start on a 256-byte boundary.
struct Args {
  float* state;    ///< [cells], device: temperatures from 0 to 1; to become those after the last
                   ///< step
  float* history;  ///< [steps], pinned host memory; to be written: the temperature of cell `probe`
                   ///< after step 0, after step 1, ...
  std::int64_t cells;  ///< at least 1; cell 0 is the neighbour of cell cells - 1
  std::int64_t probe;  ///< the cell that the thermostat looks at
  int steps;           ///< at least 1
};

/// The share that a cell takes of either neighbour in step 0.
constexpr float first_share = 0.25f;

/// The share in the next step, after the thermostat has seen `temperature` at its cell.
__host__ __device__ inline float share_after(float temperature) {
  return first_share - temperature / 1024;
}

/// A step spreads twice with the same share: each cell becomes
///   own + share * (left + right - 2 * own),
/// and all of them again.
///
/// All work has to wait for what `stream` was given before, and to be done once `stream` is: one
/// that was created, never the default stream. `args` is gone when launch() has returned.
extern "C" void launch(const Args& args, cudaStream_t stream);
