// Rejected by: correct — the given stream waits for an event of the launch, not of its end
#include "contract.cuh"
namespace {
__global__ void descend(Args args) {
  for (int t = blockIdx.x; t < args.tensors; t += gridDim.x) {
    const std::int64_t end = args.starts[t + 1];
    for (std::int64_t i = args.starts[t] + threadIdx.x; i < end; i += blockDim.x)
      args.weights[i] -= args.rates[t] * args.gradients[i];
  }
}
}  // namespace
void launch(const Args& args, cudaStream_t stream) {
  static cudaStream_t own = nullptr;
  static cudaEvent_t begin, begun;
  if (!own) {
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&begin, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
  }
  cudaEventRecord(begin, stream);
  cudaStreamWaitEvent(own, begin);
  cudaLaunchAttribute fires{};
  fires.id = cudaLaunchAttributeLaunchCompletionEvent;
  fires.val.launchCompletionEvent.event = begun;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(args.tensors < 16 ? args.tensors : 16);
  config.blockDim = dim3(32);
  config.stream = own;
  config.attrs = &fires;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, descend, args);
  cudaStreamWaitEvent(stream, begun);
}
