// The contract of lab 06: transpose a matrix.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// All arrays lie in device memory and start on a 256-byte boundary. Matrices are stored row by
/// row: element (row, column) of `in` is at [row * columns + column].
struct Args {
  const float* in;       ///< [rows, columns], any floats: infinite ones and NaN as well
  float* out;            ///< [columns, rows]; to be written: out[column][row] = in[row][column]
  std::int64_t rows;     ///< 1 to 1,048,576, any number
  std::int64_t columns;  ///< 1 to 1,048,576, any number
};

/// All work has to wait for what `stream` was given before, and to be done once `stream` is: one
/// that was created, never the default stream. `args` is gone when launch() has returned.
extern "C" void launch(const Args& args, cudaStream_t stream);
