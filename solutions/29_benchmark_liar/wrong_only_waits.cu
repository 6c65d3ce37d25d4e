// Rejected by: cause — it waits, which was the largest lie; the first run and warm caches remain
#include <chrono>

#include "contract.cuh"

void launch(const Args& args, cudaStream_t stream) {
  using Clock = std::chrono::steady_clock;
  for (int job = 0; job < args.jobs; ++job) {
    const auto start = Clock::now();
    for (int i = 0; i < 10; ++i) args.run(job, stream);
    cudaStreamSynchronize(stream);
    args.seconds[job] = std::chrono::duration<double>(Clock::now() - start).count() / 10;
  }
}
