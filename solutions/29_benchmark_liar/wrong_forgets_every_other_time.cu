// Rejected by: cause — empties the caches before every second run: of nine runs five find their
// data there, and one of them is in the middle
#include <algorithm>
#include <array>

#include "contract.cuh"

void launch(const Args& args, cudaStream_t stream) {
  static cudaEvent_t start, stop;
  if (start == nullptr) {
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
  }
  for (int job = 0; job < args.jobs; ++job) {
    args.run(job, stream);
    std::array<float, 9> milliseconds{};
    for (std::size_t i = 0; i < milliseconds.size(); ++i) {
      if (i % 2 == 1) args.forget(stream);
      cudaEventRecord(start, stream);
      args.run(job, stream);
      cudaEventRecord(stop, stream);
      cudaEventSynchronize(stop);
      cudaEventElapsedTime(&milliseconds[i], start, stop);
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    args.seconds[job] = milliseconds[milliseconds.size() / 2] / 1000.0;
  }
}
