// The contract of lab 21: one step of gradient descent for many small tensors.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// The tensors lie one behind the other: tensor t takes the elements from starts[t] up to, but not
/// including, starts[t + 1]. Arrays start on a 256-byte boundary.
struct Args {
  float* weights;              ///< [elements], device, any floats; to become: weight - rate of its
                               ///< tensor * gradient
  const float* gradients;      ///< [elements], device, any floats
  const float* rates;          ///< [tensors], device
  const std::int64_t* starts;  ///< [tensors + 1], pinned host memory; the same for the same
                               ///< `tensors` and `elements`
  std::int64_t* table;         ///< [tensors + 1], device: room for a copy of `starts`
  std::int64_t elements;       ///< at least `tensors`; no tensor is empty
  int tensors;                 ///< at least 1
};

/// All work has to wait for what `stream` was given before, and to be done once `stream` is: one
/// that was created, never the default stream. `args` is gone when launch() has returned.
extern "C" void launch(const Args& args, cudaStream_t stream);
