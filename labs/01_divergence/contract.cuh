// The contract of lab 01: cool every body for one unit of time, each by the law of its kind.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

inline constexpr float ambient = 0.25f;  ///< the temperature that everything cools down to

inline constexpr int conduction_steps = 512;
inline constexpr float conduction_step = 1.0f / conduction_steps;

/// Radiation changes faster, so it is followed in finer steps.
inline constexpr int radiation_steps = 1024;
inline constexpr float radiation_step = 1.0f / radiation_steps;

/// All arrays have `count` elements, lie in device memory and start on a 256-byte boundary.
struct Args {
  const float* start;        ///< temperature at the beginning, 0.25 to 2
  const std::uint8_t* kind;  ///< 0: the body cools by conduction; 1 (one in four): by radiation
  float* end;                ///< temperature after all steps; to be written
  std::int64_t count;        ///< number of bodies, at least 1
};

/// All work has to wait for what `stream` was given before, and to be done once `stream` is: one
/// that was created, never the default stream. `args` is gone when launch() has returned.
extern "C" void launch(const Args& args, cudaStream_t stream);
