// Ends in: pass — all steps are one graph that allocates its room and frees it, and the device
// works the shares out itself
#include "contract.cuh"

namespace {

__global__ void spread(const float* from, float* to, std::int64_t cells, const float* share) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= cells) return;
  const float own = from[i];
  const float left = from[i == 0 ? cells - 1 : i - 1];
  const float right = from[i == cells - 1 ? 0 : i + 1];
  to[i] = own + *share * (left + right - 2 * own);
}

__global__ void begin(float* share) { *share = first_share; }

__global__ void look(float* share, const float* cell, float* note) {
  *note = *cell;
  *share = share_after(*cell);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.cells + 255) / 256);
  cudaStream_t order = nullptr;
  cudaStreamCreateWithFlags(&order, cudaStreamNonBlocking);
  cudaStreamBeginCapture(order, cudaStreamCaptureModeThreadLocal);
  float *between = nullptr, *share = nullptr;
  cudaMallocAsync(&between, args.cells * sizeof(float), order);
  cudaMallocAsync(&share, sizeof(float), order);
  begin<<<1, 1, 0, order>>>(share);
  for (int step = 0; step < args.steps; ++step) {
    spread<<<blocks, 256, 0, order>>>(args.state, between, args.cells, share);
    spread<<<blocks, 256, 0, order>>>(between, args.state, args.cells, share);
    look<<<1, 1, 0, order>>>(share, &args.state[args.probe], &args.history[step]);
  }
  cudaFreeAsync(between, order);
  cudaFreeAsync(share, order);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t plan = nullptr;
  cudaStreamEndCapture(order, &graph);
  cudaGraphInstantiate(&plan, graph, 0);
  cudaGraphLaunch(plan, stream);
  cudaGraphExecDestroy(plan);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(order);
}
