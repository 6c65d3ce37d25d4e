// Rejected by: correct — a recording that is kept reads the probe from one pinned number, which the
// next call with the same arrays writes before the device has read it
#include "contract.cuh"

#include <utility>

namespace {

constexpr int block = 256;

__global__ void spread(const float* now, float* next, float* log, std::int64_t cells,
                       const std::int64_t* probe) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i >= cells) return;
  const float left = now[i > 0 ? i - 1 : cells - 1], right = now[i + 1 < cells ? i + 1 : 0];
  next[i] = 0.5f * now[i] + 0.25f * (left + right);
  if (i == *probe) *log = next[i];
}

struct Recording {
  const float *state = nullptr, *scratch = nullptr, *log = nullptr, *history = nullptr;
  std::int64_t cells = 0;
  int steps = 0;
  cudaGraphExec_t graph = nullptr;

  bool is_of(const Args& args) const {
    return state == args.state && scratch == args.scratch && log == args.log &&
           history == args.history && cells == args.cells && steps == args.steps;
  }
};

cudaGraphExec_t recorded(const Args& args, std::int64_t* pinned, std::int64_t* probe,
                         cudaStream_t stream) {
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  cudaMemcpyAsync(probe, pinned, sizeof *probe, cudaMemcpyHostToDevice, stream);
  float *now = args.state, *next = args.scratch;
  const auto blocks = static_cast<unsigned>((args.cells + block - 1) / block);
  for (int step = 0; step < args.steps; ++step) {
    spread<<<blocks, block, 0, stream>>>(now, next, args.log + step, args.cells, probe);
    std::swap(now, next);
  }
  if (now != args.state)
    cudaMemcpyAsync(args.state, now, args.cells * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  cudaMemcpyAsync(args.history, args.log, args.steps * sizeof(float), cudaMemcpyDeviceToHost,
                  stream);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphDestroy(graph);
  return executable;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static std::int64_t *pinned = nullptr, *probe = nullptr;
  static cudaStream_t recorder = nullptr;
  static Recording last;
  if (recorder == nullptr) {
    cudaMallocHost(&pinned, sizeof *pinned);
    cudaMalloc(&probe, sizeof *probe);
    cudaStreamCreateWithFlags(&recorder, cudaStreamNonBlocking);
  }
  if (!last.is_of(args)) {
    if (last.graph != nullptr) {
      cudaDeviceSynchronize();  // it may still be read
      cudaGraphExecDestroy(last.graph);
    }
    last = {args.state,
            args.scratch,
            args.log,
            args.history,
            args.cells,
            args.steps,
            recorded(args, pinned, probe, recorder)};
  }
  *pinned = args.probe;
  cudaGraphLaunch(last.graph, stream);
}
