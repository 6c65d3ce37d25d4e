// Rejected by: correct — measures 32 jobs at most, and reports the last one's time for the others
#include <algorithm>
#include <array>

#include "contract.cuh"

namespace {

constexpr int runs = 9, most_jobs = 32;

double measured(const Args& args, int job, cudaStream_t stream) {
  static cudaEvent_t start, stop;
  if (start == nullptr) {
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
  }
  args.run(job, stream);
  std::array<float, runs> milliseconds;
  for (float& one : milliseconds) {
    args.forget(stream);
    cudaEventRecord(start, stream);
    args.run(job, stream);
    cudaEventRecord(stop, stream);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&one, start, stop);
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  return milliseconds[runs / 2] / 1000.0;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  for (int job = 0; job < args.jobs; ++job)
    args.seconds[job] = job < most_jobs ? measured(args, job, stream) : args.seconds[most_jobs - 1];
}
