// Rejected by: same work — reports what some job took yesterday, and measures nothing
#include "contract.cuh"

void launch(const Args& args, cudaStream_t stream) {
  cudaStreamSynchronize(stream);
  for (int job = 0; job < args.jobs; ++job) args.seconds[job] = 6.1e-5;
}
