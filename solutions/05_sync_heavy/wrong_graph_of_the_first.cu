// Rejected by: correct — a graph is kept for each number of cells and steps, and with it the probe
// of the first launch
#include "contract.cuh"

#include <utility>

namespace {

__global__ void spread(const float* now, float* next, std::int64_t cells, std::int64_t probe,
                       float* noted) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= cells) return;
  const float left = now[i == 0 ? cells - 1 : i - 1];
  const float right = now[i == cells - 1 ? 0 : i + 1];
  next[i] = 0.5f * now[i] + 0.25f * (left + right);
  if (i == probe) *noted = next[i];
}

struct Recording {
  cudaGraphExec_t graph = nullptr;
  float* state = nullptr;
  std::int64_t cells = 0;
  int steps = 0;
};
Recording recording;

void record(const Args& args) {
  cudaStream_t stream;
  cudaGraph_t kernels;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  const auto blocks = static_cast<unsigned>((args.cells + 255) / 256);
  float* now = args.state;
  float* next = args.scratch;
  for (int step = 0; step < args.steps; ++step) {
    spread<<<blocks, 256, 0, stream>>>(now, next, args.cells, args.probe, &args.log[step]);
    std::swap(now, next);
  }
  if (now != args.state)
    cudaMemcpyAsync(args.state, now, args.cells * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  cudaStreamEndCapture(stream, &kernels);
  if (recording.graph != nullptr) cudaGraphExecDestroy(recording.graph);
  cudaGraphInstantiate(&recording.graph, kernels, 0);
  cudaGraphDestroy(kernels);
  cudaStreamDestroy(stream);
  recording.state = args.state;
  recording.cells = args.cells;
  recording.steps = args.steps;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (recording.state != args.state || recording.cells != args.cells ||
      recording.steps != args.steps)
    record(args);
  cudaGraphLaunch(recording.graph, stream);
  cudaMemcpyAsync(args.history, args.log, args.steps * sizeof(float), cudaMemcpyDeviceToHost,
                  stream);
}
