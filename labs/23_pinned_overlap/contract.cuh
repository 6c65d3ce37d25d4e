// The contract of lab 23: send samples to the device, let each of them settle, bring them back.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// All arrays start on a 256-byte boundary.
struct Args {
  const float* in;       ///< [samples], page-locked host memory: from -1 to 1
  float* out;            ///< [samples], page-locked host memory; to be written
  float* room;           ///< [samples], device memory: room for the samples while they are there
  std::int64_t samples;  ///< at least 1, any number
  int steps;             ///< at least 1
  float rate;            ///< how far a sample moves in one step, 0.01 to 0.2
};

/// A sample x settles by `steps` times y += rate * (x - y * (1 + y * y)), from y = 0; the last y is
/// its result.
///
/// All work has to wait for what `stream` was given before, and to be done once `stream` is: one
/// that was created, never the default stream. `args` is gone when launch() has returned.
extern "C" void launch(const Args& args, cudaStream_t stream);
