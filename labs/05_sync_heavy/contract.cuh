// The contract of lab 05: let heat spread along a ring of cells, and note one cell at each step.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Device arrays start on a 256-byte boundary.
struct Args {
  float* state;    ///< [cells], device: temperatures from 0 to 1 at the beginning, and when all is
                   ///< done the temperatures after the last step
  float* scratch;  ///< [cells], device: room for intermediate values
  float* log;      ///< [steps], device: room for intermediate values
  float* history;  ///< [steps], pinned host memory; to be written: the temperature of cell `probe`
                   ///< after step 0, after step 1, ...
  std::int64_t cells;  ///< at least 1; cell 0 is the neighbour of cell cells - 1
  std::int64_t probe;  ///< the cell that is noted
  int steps;           ///< at least 1
};

/// All work has to wait for what `stream` was given before, and to be done once `stream` is: one
/// that was created, never the default stream. `args` is gone when launch() has returned.
extern "C" void launch(const Args& args, cudaStream_t stream);
