// Rejected by: correct — a graph is kept for each set of arguments; when a longer ring needs more
// room, the old room is freed, and the graphs of shorter ones go on using it
#include "contract.cuh"

#include <map>
#include <tuple>

namespace {

constexpr int block = 256;

__device__ float shares[2];  // of this step and of the next one, by turns

template <bool second>
__global__ void spread(const float* from, float* to, Args args, int step) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i >= args.cells) return;
  const float share = step == 0 ? first_share : shares[step % 2];
  const float own = from[i];
  const float left = from[i == 0 ? args.cells - 1 : i - 1];
  const float right = from[i == args.cells - 1 ? 0 : i + 1];
  to[i] = own + share * (left + right - 2 * own);
  if (!second || i != args.probe) return;
  args.history[step] = to[i];
  shares[(step + 1) % 2] = share_after(to[i]);
}

float* room = nullptr;
std::int64_t cells_of_room = 0;

cudaGraphExec_t graph_of(const Args& args) {
  const auto blocks = static_cast<unsigned>((args.cells + block - 1) / block);
  static cudaStream_t recorder = nullptr;
  if (recorder == nullptr) cudaStreamCreateWithFlags(&recorder, cudaStreamNonBlocking);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t made = nullptr;
  cudaStreamBeginCapture(recorder, cudaStreamCaptureModeRelaxed);
  for (int step = 0; step < args.steps; ++step) {
    spread<false><<<blocks, block, 0, recorder>>>(args.state, room, args, step);
    spread<true><<<blocks, block, 0, recorder>>>(room, args.state, args, step);
  }
  cudaStreamEndCapture(recorder, &graph);
  cudaGraphInstantiate(&made, graph, 0);
  cudaGraphDestroy(graph);
  return made;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  using Key = std::tuple<float*, float*, std::int64_t, std::int64_t, int>;
  static std::map<Key, cudaGraphExec_t> graphs;
  constexpr std::size_t most_graphs = 16;
  if (args.cells > cells_of_room) {
    cudaFree(room);
    cudaMalloc(&room, args.cells * sizeof(float));
    cells_of_room = args.cells;
  }
  const Key key{args.state, args.history, args.cells, args.probe, args.steps};
  if (!graphs.contains(key)) {
    if (graphs.size() == most_graphs) {
      for (const auto& [known, graph] : graphs) cudaGraphExecDestroy(graph);
      graphs.clear();
    }
    graphs[key] = graph_of(args);
  }
  cudaGraphLaunch(graphs[key], stream);
}
