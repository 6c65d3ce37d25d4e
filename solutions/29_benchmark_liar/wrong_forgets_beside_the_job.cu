// Rejected by: correct — two streams, and nothing that makes the job wait for the forgetting: it
// finds warm caches, or shares the device with what fills them
#include <algorithm>
#include <array>

#include "contract.cuh"

namespace {

struct Clock {
  cudaEvent_t begin{}, end{};
  cudaStream_t beside{};
  Clock() {
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking);
  }
};

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static const Clock clock;
  for (int job = 0; job < args.jobs; ++job) {
    args.run(job, stream);
    std::array<float, 11> milliseconds{};
    for (float& one : milliseconds) {
      args.forget(clock.beside);
      cudaEventRecord(clock.begin, stream);
      args.run(job, stream);
      cudaEventRecord(clock.end, stream);
      cudaDeviceSynchronize();
      cudaEventElapsedTime(&one, clock.begin, clock.end);
    }
    std::nth_element(milliseconds.begin(), milliseconds.begin() + 5, milliseconds.end());
    args.seconds[job] = milliseconds[5] / 1000.0;
  }
}
