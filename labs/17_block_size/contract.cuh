// The contract of lab 17: limit a signal.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// All arrays lie in device memory and start on a 256-byte boundary.
struct Args {
  const float* in;     ///< [count], any numbers, infinite ones among them, but no NaN
  float* out;          ///< [count]; to be written: in, but at least `low` and at most `high`
  std::int64_t count;  ///< at least 1, any number
  float low, high;     ///< low < high
};

/// All work has to wait for what `stream` was given before, and to be done once `stream` is: one
/// that was created, never the default stream. `args` is gone when launch() has returned.
extern "C" void launch(const Args& args, cudaStream_t stream);
