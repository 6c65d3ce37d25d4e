// The contract of lab 02: multiply every row of a matrix by that row's gain.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// All arrays lie in device memory and start on a 256-byte boundary. Matrices are stored row by
/// row: element (row, column) is at [row * columns + column].
struct Args {
  const float* in;       ///< [rows, columns], any floats: infinite ones and NaN as well
  const float* gain;     ///< [rows]
  float* out;            ///< [rows, columns]; to be written: gain[row] * in[row][column]
  std::int64_t rows;     ///< 1 to 2^31 - 1
  std::int64_t columns;  ///< at least 1, any number
};

/// All work has to wait for what `stream` was given before, and to be done once `stream` is: one
/// that was created, never the default stream. `args` is gone when launch() has returned.
extern "C" void launch(const Args& args, cudaStream_t stream);
