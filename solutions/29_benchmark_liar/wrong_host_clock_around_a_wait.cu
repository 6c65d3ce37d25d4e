// Rejected by: cause or time — warm, cold and awaited, but the host's clock also counts the way to
// the device and back: a few microseconds, of a job that takes tens of them
#include <algorithm>
#include <chrono>
#include <vector>

#include "contract.cuh"

void launch(const Args& args, cudaStream_t stream) {
  using Clock = std::chrono::steady_clock;
  for (int job = 0; job < args.jobs; ++job) {
    args.run(job, stream);
    std::vector<double> times(9);
    for (double& time : times) {
      args.forget(stream);
      cudaStreamSynchronize(stream);
      const auto start = Clock::now();
      args.run(job, stream);
      cudaStreamSynchronize(stream);
      time = std::chrono::duration<double>(Clock::now() - start).count();
    }
    std::sort(times.begin(), times.end());
    args.seconds[job] = times[4];
  }
}
