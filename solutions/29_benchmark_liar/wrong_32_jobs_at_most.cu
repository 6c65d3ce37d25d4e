// Rejected by: correct — a table with a place for each of 32 jobs; what comes behind them is not
// measured
#include <algorithm>
#include <vector>

#include "contract.cuh"

namespace {
constexpr int places = 32, runs = 9;
double measured[places];
}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static cudaEvent_t begin, end;
  if (begin == nullptr) {
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
  }
  const int jobs = std::min(args.jobs, places);
  for (int job = 0; job < jobs; ++job) {
    args.run(job, stream);
    std::vector<float> times(runs);
    for (float& milliseconds : times) {
      args.forget(stream);
      cudaEventRecord(begin, stream);
      args.run(job, stream);
      cudaEventRecord(end, stream);
      cudaEventSynchronize(end);
      cudaEventElapsedTime(&milliseconds, begin, end);
    }
    std::sort(times.begin(), times.end());
    measured[job] = times[runs / 2] / 1000.0;
  }
  std::copy_n(measured, jobs, args.seconds);
}
