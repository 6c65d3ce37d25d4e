// Rejected by: cause or time or hang — reports a tenth of a second for each job, and leaves kernels
// behind that are to make each of them take as long
#include "contract.cuh"

namespace {

__global__ void keep_busy(long long cycles) {
  for (const long long start = clock64(); clock64() - start < cycles;) __nanosleep(1000);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static cudaStream_t side = nullptr;
  if (!side) cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  for (int job = 0; job < args.jobs; ++job) {
    for (int i = 0; i < 4; ++i) {
      args.run(job, stream);
      args.forget(stream);
    }
    args.run(job, stream);
    args.seconds[job] = 0.1;
  }
  keep_busy<<<4096, 256, 0, side>>>(100'000'000);
}
