// Rejected by: cause — a graph for each tensor: no launch of a kernel is left, and a thousand
// orders are
#include "contract.cuh"

#include <vector>

namespace {

__global__ void descend(float* weights, const float* gradients, std::int64_t count,
                        const float* rate) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < count) weights[i] -= *rate * gradients[i];
}

Args recorded{};
std::vector<cudaGraphExec_t> graphs;

bool same(const Args& a, const Args& b) {
  return a.weights == b.weights && a.gradients == b.gradients && a.rates == b.rates &&
         a.elements == b.elements && a.tensors == b.tensors;
}

void record(const Args& args) {
  for (const cudaGraphExec_t graph : graphs) cudaGraphExecDestroy(graph);
  graphs.assign(args.tensors, nullptr);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int tensor = 0; tensor < args.tensors; ++tensor) {
    const std::int64_t start = args.starts[tensor];
    const std::int64_t count = args.starts[tensor + 1] - start;
    cudaGraph_t one;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    descend<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(
        args.weights + start, args.gradients + start, count, args.rates + tensor);
    cudaStreamEndCapture(stream, &one);
    cudaGraphInstantiate(&graphs[tensor], one, 0);
    cudaGraphDestroy(one);
  }
  cudaStreamDestroy(stream);
  recorded = args;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (!same(args, recorded)) record(args);
  for (const cudaGraphExec_t graph : graphs) cudaGraphLaunch(graph, stream);
}
