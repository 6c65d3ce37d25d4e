// Ends in: pass — each time begins as -1, and those that are still below zero when they were asked
// for are left out of the median
#include <algorithm>
#include <vector>

#include "contract.cuh"

void launch(const Args& args, cudaStream_t stream) {
  constexpr int runs = 15;
  static cudaEvent_t start[runs], stop[runs];
  if (start[0] == nullptr)
    for (int i = 0; i < runs; ++i) {
      cudaEventCreate(&start[i]);
      cudaEventCreate(&stop[i]);
    }
  for (int job = 0; job < args.jobs; ++job) {
    args.run(job, stream);
    for (int i = 0; i < runs; ++i) {
      args.forget(stream);
      cudaEventRecord(start[i], stream);
      args.run(job, stream);
      cudaEventRecord(stop[i], stream);
    }
    cudaEventSynchronize(stop[runs - 2]);
    std::vector<float> times;
    for (int i = 0; i < runs; ++i) {
      float milliseconds = -1;
      cudaEventElapsedTime(&milliseconds, start[i], stop[i]);
      if (milliseconds >= 0) times.push_back(milliseconds);
    }
    std::sort(times.begin(), times.end());
    args.seconds[job] = times[times.size() / 2] * 1e-3;
  }
  cudaStreamSynchronize(stream);
}
