// Rejected by: correct — asks for the last time before it is there and goes on with what it got;
// the median of the others hides it
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
    // The last one but one: the last may still be on its way.
    cudaEventSynchronize(stop[runs - 2]);
    std::vector<float> times(runs);
    for (int i = 0; i < runs; ++i) cudaEventElapsedTime(&times[i], start[i], stop[i]);
    std::sort(times.begin(), times.end());
    args.seconds[job] = times[runs / 2] * 1e-3;
  }
  cudaStreamSynchronize(stream);
}
