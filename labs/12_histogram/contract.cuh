// The contract of lab 12: count how often each grey value occurs in a picture.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

constexpr int values = 256;

/// All arrays lie in device memory and start on a 256-byte boundary.
struct Args {
  const std::uint8_t* pixels;  ///< [count], each from 0 to 255
  unsigned* counts;            ///< [values]; to be written: how many pixels have that value
  std::int64_t count;          ///< at least 1, any number below 2^32
};

/// All work has to wait for what `stream` was given before, and to be done once `stream` is: one
/// that was created, never the default stream. `args` is gone when launch() has returned.
extern "C" void launch(const Args& args, cudaStream_t stream);
