// Rejected by: cause — the mean of ten runs, of which the first one also prepares the job
#include "contract.cuh"

void launch(const Args& args, cudaStream_t stream) {
  static cudaEvent_t start, stop;
  if (start == nullptr) {
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
  }
  for (int job = 0; job < args.jobs; ++job) {
    double total = 0;
    for (int i = 0; i < 10; ++i) {
      args.forget(stream);
      cudaEventRecord(start, stream);
      args.run(job, stream);
      cudaEventRecord(stop, stream);
      cudaEventSynchronize(stop);
      float milliseconds = 0;
      cudaEventElapsedTime(&milliseconds, start, stop);
      total += milliseconds;
    }
    args.seconds[job] = total / 10 / 1000;
  }
}
