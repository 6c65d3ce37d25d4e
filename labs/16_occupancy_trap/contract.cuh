// The contract of lab 16: the value of one polynomial at many points.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

constexpr int most_terms = 1024;

/// All arrays lie in device memory and start on a 256-byte boundary.
struct Args {
  const float* points;        ///< [count], each from -1 to 1
  const float* coefficients;  ///< [terms]: that of x to the power of k at k; up to 1e30
  float* values;              ///< [count]; to be written: the polynomial's value at each point
  std::int64_t count;         ///< at least 1, any number
  int terms;                  ///< from 1 to most_terms
};

/// All work has to wait for what `stream` was given before, and to be done once `stream` is: one
/// that was created, never the default stream. `args` is gone when launch() has returned.
extern "C" void launch(const Args& args, cudaStream_t stream);
