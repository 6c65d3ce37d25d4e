// Ends in: pass — a run to warm up, then seven of which each is awaited, and the one in the middle
#include <algorithm>
#include <vector>

#include "contract.cuh"

void launch(const Args& args, cudaStream_t stream) {
  static cudaEvent_t start, stop;
  if (start == nullptr) {
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
  }
  for (int job = 0; job < args.jobs; ++job) {
    args.run(job, stream);
    std::vector<float> times;
    for (int i = 0; i < 7; ++i) {
      args.forget(stream);
      cudaEventRecord(start, stream);
      args.run(job, stream);
      cudaEventRecord(stop, stream);
      cudaEventSynchronize(stop);
      float milliseconds = 0;
      cudaEventElapsedTime(&milliseconds, start, stop);
      times.push_back(milliseconds);
    }
    std::sort(times.begin(), times.end());
    args.seconds[job] = times[3] / 1000.0;
  }
}
