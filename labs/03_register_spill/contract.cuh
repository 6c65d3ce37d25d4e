// The contract of lab 03: run a bank of 64 fading averages over every channel of a signal.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

inline constexpr int filters = 64;

/// How much of its old value filter number `filter` keeps at each sample: 1/2, 2/3, ... 64/65.
__host__ __device__ constexpr float keep(int filter) {
  return 1.0f - 1.0f / static_cast<float>(filter + 2);
}

/// All arrays lie in device memory and start on a 256-byte boundary.
struct Args {
  const float*
      signal;  ///< [samples, channels]: all channels of sample 0, then of sample 1, ...; any floats
  float* energy;          ///< [channels]; to be written: the sum of the squares of the 64 filters
  std::int64_t samples;   ///< at least 1
  std::int64_t channels;  ///< at least 1
};

/// All work has to wait for what `stream` was given before, and to be done once `stream` is: one
/// that was created, never the default stream. `args` is gone when launch() has returned.
extern "C" void launch(const Args& args, cudaStream_t stream);
