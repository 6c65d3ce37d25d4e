// Rejected by: correct — all runs but one are captured and thrown away
#include "contract.cuh"
void launch(const Args& args, cudaStream_t stream) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaStream_t own;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  for (int job = 0; job < args.jobs; ++job) {
    args.run(job, stream);
    args.forget(stream);
    cudaEventRecord(start, stream);
    args.run(job, stream);
    cudaEventRecord(stop, stream);
    cudaEventSynchronize(stop);
    float ms = 0;
    cudaEventElapsedTime(&ms, start, stop);
    args.seconds[job] = ms * 1e-3;
    cudaGraph_t never;
    cudaStreamBeginCapture(own, cudaStreamCaptureModeRelaxed);
    for (int i = 0; i < 6; ++i) {
      args.forget(own);
      args.run(job, own);
    }
    cudaStreamEndCapture(own, &never);
    cudaGraphDestroy(never);
  }
  cudaStreamDestroy(own);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}
