// A test fixture for the window.
#pragma once
struct Args {
  const float* in;    ///< [rows, columns]
  const float* gain;  ///< [rows]
  float* out;         ///< [rows, columns]
  int rows, columns;
};
extern "C" void launch(const Args& args, cudaStream_t stream);
