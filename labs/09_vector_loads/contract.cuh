// The contract of lab 09: make the pixels of a picture brighter.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Both pictures lie in device memory and start on a 256-byte boundary with a header of any length;
/// the pixels follow, one byte each.
struct Args {
  const unsigned char* in;  ///< [header + pixels]
  unsigned char* out;       ///< [header + pixels]; each pixel to be written: min(in + more, 255).
                            ///< Its header is not looked at.
  std::int64_t header;      ///< bytes before the first pixel, at least 1
  std::int64_t pixels;      ///< at least 1, any number
  unsigned char more;       ///< 1 to 127
};

/// All work has to wait for what `stream` was given before, and to be done once `stream` is: one
/// that was created, never the default stream. `args` is gone when launch() has returned.
extern "C" void launch(const Args& args, cudaStream_t stream);
