// Rejected by: cause — measures each job until a millisecond has been spent on it: a job that takes
// longer is run once, and one run has no median
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
    for (float spent = 0; spent < 1 && times.size() < 15;) {
      args.forget(stream);
      cudaEventRecord(start, stream);
      args.run(job, stream);
      cudaEventRecord(stop, stream);
      cudaEventSynchronize(stop);
      float milliseconds = 0;
      cudaEventElapsedTime(&milliseconds, start, stop);
      times.push_back(milliseconds);
      spent += milliseconds;
    }
    std::sort(times.begin(), times.end());
    args.seconds[job] = times[times.size() / 2] / 1000.0;
  }
}
