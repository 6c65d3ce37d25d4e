// Rejected by: correct — a graph is kept for as long as all addresses but that of the scratch
// memory stay the same: it goes on writing where that was
#include "contract.cuh"

#include <utility>

namespace {

constexpr int block = 256;

__device__ std::int64_t probed_cell;

__global__ void set_probe(std::int64_t cell) { probed_cell = cell; }

__global__ void spread(const float* now, float* next, std::int64_t cells, float* note) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i >= cells) return;
  const float left = now[i == 0 ? cells - 1 : i - 1];
  const float right = now[i == cells - 1 ? 0 : i + 1];
  next[i] = 0.5f * now[i] + 0.25f * (left + right);
  if (i == probed_cell) *note = next[i];
}

cudaGraphExec_t kept = nullptr;
Args recorded{};

bool fits(const Args& args) {
  return kept != nullptr && args.state == recorded.state && args.log == recorded.log &&
         args.cells == recorded.cells && args.steps == recorded.steps;
}

void enqueue(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.cells + block - 1) / block);
  float* now = args.state;
  float* next = args.scratch;
  for (int step = 0; step < args.steps; ++step) {
    spread<<<blocks, block, 0, stream>>>(now, next, args.cells, &args.log[step]);
    std::swap(now, next);
  }
  if (now != args.state)
    cudaMemcpyAsync(args.state, now, args.cells * sizeof(float), cudaMemcpyDeviceToDevice, stream);
}

void record(const Args& args) {
  if (kept != nullptr) cudaGraphExecDestroy(kept);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  enqueue(args, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&kept, graph, 0);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  recorded = args;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (!fits(args)) record(args);
  set_probe<<<1, 1, 0, stream>>>(args.probe);
  cudaGraphLaunch(kept, stream);
  cudaMemcpyAsync(args.history, args.log, args.steps * sizeof(float), cudaMemcpyDeviceToHost,
                  stream);
}
