// The contract of lab 24: the gravitational potential of each body in its cluster of stars.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// What is added to the square of each distance, so that no two bodies are at the same place.
constexpr float softening = 0.01f;

/// All arrays lie in device memory and start on a 256-byte boundary. The bodies of a cluster lie
/// side by side: body i of cluster c is at [c * bodies + i].
struct Args {
  const float4* stars;  ///< [clusters * bodies]: place in x, y, z, mass in w, all from 0 to 1
  float* potential;     ///< [clusters * bodies]; to be written: the sum over all bodies of the same
                        ///< cluster, itself among them, of mass / sqrt(distance^2 + softening)
  int clusters;         ///< 1 to 65,535
  int bodies;           ///< in each cluster; 1 to 1,000,000, any number
};

/// All work has to wait for what `stream` was given before, and to be done once `stream` is: one
/// that was created, never the default stream. `args` is gone when launch() has returned.
extern "C" void launch(const Args& args, cudaStream_t stream);
