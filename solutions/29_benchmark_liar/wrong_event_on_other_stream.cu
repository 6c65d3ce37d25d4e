// Rejected by: correct or cause — the second event stands in a stream that does not wait for the
// job
#include <algorithm>
#include <vector>

#include "contract.cuh"

void launch(const Args& args, cudaStream_t stream) {
  static cudaStream_t other;
  if (other == nullptr) cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
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
      cudaStreamSynchronize(stream);
      cudaEventRecord(start, stream);
      args.run(job, stream);
      cudaEventRecord(stop, other);
      cudaEventSynchronize(stop);
      cudaEventSynchronize(start);
      cudaEventElapsedTime(&milliseconds, start, stop);
    }
    std::sort(times.begin(), times.end());
    args.seconds[job] = times[times.size() / 2] / 1000.0;
  }
}
