// The contract of lab 29: say how long each of some jobs takes.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

struct Args {
  int jobs;                                   ///< at least 1
  void (*run)(int job, cudaStream_t stream);  ///< enqueues one run of a job, and returns
  void (*forget)(cudaStream_t stream);        ///< enqueues what leaves no job's data in a cache
  double* seconds;                            ///< [jobs], page-locked host memory; to be written

  const float* data;   ///< [count], device memory: what jobs read; of no concern to a benchmark
  const float* other;  ///< [16 * count], device memory: what forget() reads
  float* results;      ///< [1,024], device memory: room for what jobs write
  std::int64_t count;  ///< at least 1
  int steps;           ///< at least 1: how much there is to do
};

/// Measures each job from 0 to jobs - 1. seconds[job] is how long one run takes on the device, from
/// its first kernel's start to its last one's end, of a job that has run before and finds none of
/// its data in a cache: the middle one of several runs. What they are is drawn anew for each call.
/// `run` and `forget` may be called as often as you like, with any stream that is not being
/// captured: what a run does follows from those before it, of which a graph knows nothing. All of
/// seconds must be there when the given stream has finished its work.
extern "C" void launch(const Args& args, cudaStream_t stream);
