// Rejected by: correct — each time begins as -1, the last one is asked for before it is there, and
// -1 is sorted in with the others as if it were a time
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
    std::vector<float> times(runs, -1.0f);
    for (int i = 0; i < runs; ++i) cudaEventElapsedTime(&times[i], start[i], stop[i]);
    std::sort(times.begin(), times.end());
    args.seconds[job] = times[runs / 2] * 1e-3;
  }
  cudaStreamSynchronize(stream);
}
