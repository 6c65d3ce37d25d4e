// Right, but fails: time — one graph, but recorded and instantiated anew at each call, which costs
// the host as much as the launches did
#include "contract.cuh"

namespace {

__global__ void descend(float* weights, const float* gradients, std::int64_t count,
                        const float* rate) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < count) weights[i] -= *rate * gradients[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaGraph_t launches;
  cudaGraphExec_t graph;
  cudaStream_t recorder;
  cudaStreamCreateWithFlags(&recorder, cudaStreamNonBlocking);
  cudaStreamBeginCapture(recorder, cudaStreamCaptureModeThreadLocal);
  for (int tensor = 0; tensor < args.tensors; ++tensor) {
    const std::int64_t start = args.starts[tensor];
    const std::int64_t count = args.starts[tensor + 1] - start;
    descend<<<static_cast<unsigned>((count + 255) / 256), 256, 0, recorder>>>(
        args.weights + start, args.gradients + start, count, args.rates + tensor);
  }
  cudaStreamEndCapture(recorder, &launches);
  cudaGraphInstantiate(&graph, launches, 0);
  cudaGraphLaunch(graph, stream);
  cudaGraphExecDestroy(graph);
  cudaGraphDestroy(launches);
  cudaStreamDestroy(recorder);
}
