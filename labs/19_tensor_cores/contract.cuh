// The contract of lab 19: the product of two matrices of half-precision numbers.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

/// All arrays lie in device memory, start on a 256-byte boundary and are stored row by row, without
/// gaps: element (row, column) of a is at [row * k + column].
struct Args {
  const __half* a;  ///< [m, k], any halves: infinite ones and NaN as well
  const __half* b;  ///< [k, n], any halves
  __half* c;        ///< [m, n]; to be written: a * b, added up in float and rounded once, to
                    ///< infinity beyond what a half can hold
  std::int64_t m;   ///< 1 to 500,000, any number
  std::int64_t n;   ///< 1 to 500,000, any number
  std::int64_t k;   ///< 1 to 500,000, any number
};

/// All work has to wait for what `stream` was given before, and to be done once `stream` is: one
/// that was created, never the default stream. `args` is gone when launch() has returned.
extern "C" void launch(const Args& args, cudaStream_t stream);
