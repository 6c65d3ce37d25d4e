// Rejected by: correct or cause — asks for the time between two events before the second one has
// happened
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
    std::vector<float> times(9);
    for (float& milliseconds : times) {
      args.forget(stream);
      cudaEventRecord(start, stream);
      args.run(job, stream);
      cudaEventRecord(stop, stream);
      milliseconds = 0;
      cudaEventElapsedTime(&milliseconds, start, stop);
    }
    std::sort(times.begin(), times.end());
    args.seconds[job] = times[times.size() / 2] / 1000.0;
  }
  cudaGetLastError();
}
