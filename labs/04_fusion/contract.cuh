// The contract of lab 04: out = residual + relu(scale * in + bias), element by element.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// All arrays have `count` elements, lie in device memory and start on a 256-byte boundary.
struct Args {
  const float* in;        ///< any numbers, infinite ones among them, but no NaN
  const float* residual;  ///< any floats
  float* scratch;         ///< room for intermediate values; nobody looks at it afterwards
  float* out;             ///< to be written
  std::int64_t count;     ///< at least 1
  float scale;            ///< any finite number but 0
  float bias;             ///< any finite number
};

/// All work has to wait for what `stream` was given before, and to be done once `stream` is: one
/// that was created, never the default stream. `args` is gone when launch() has returned.
extern "C" void launch(const Args& args, cudaStream_t stream);
