// Rejected by: cause — records both events in a stream of its own: no job lies between them, but
// what the host took to ask for one
#include <algorithm>
#include <array>

#include "contract.cuh"

namespace {
constexpr int runs = 9;
}

void launch(const Args& args, cudaStream_t stream) {
  static std::array<cudaEvent_t, 2 * runs> events = [] {
    std::array<cudaEvent_t, 2 * runs> made;
    for (cudaEvent_t& event : made) cudaEventCreate(&event);
    return made;
  }();
  static cudaStream_t own;
  if (own == nullptr) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  for (int job = 0; job < args.jobs; ++job) {
    args.run(job, stream);
    for (int i = 0; i < runs; ++i) {
      args.forget(stream);
      cudaEventRecord(events[2 * i], own);
      args.run(job, stream);
      cudaEventRecord(events[2 * i + 1], own);
    }
    cudaDeviceSynchronize();
    std::array<float, runs> milliseconds;
    for (int i = 0; i < runs; ++i)
      cudaEventElapsedTime(&milliseconds[i], events[2 * i], events[2 * i + 1]);
    std::sort(milliseconds.begin(), milliseconds.end());
    args.seconds[job] = milliseconds[runs / 2] / 1000.0;
  }
}
