// Ends in: pass — a graph on a stream of its own marks an event when all is done, and the given
// stream waits for it; the graph is kept, and gets the arguments of each launch
#include "contract.cuh"

namespace {

__global__ void scale(Args args) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.y;
  for (std::int64_t row = blockIdx.x * static_cast<std::int64_t>(blockDim.y) + threadIdx.y;
       row < args.rows; row += step)
    for (std::int64_t column = threadIdx.x; column < args.columns; column += blockDim.x)
      args.out[row * args.columns + column] = args.gain[row] * args.in[row * args.columns + column];
}

struct Plan {
  cudaStream_t own = nullptr;
  cudaEvent_t begun = nullptr, done = nullptr;
  cudaGraphNode_t work = nullptr;
  cudaGraphExec_t ready = nullptr;

  explicit Plan(cudaKernelNodeParams& kernel) {
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaGraph_t graph;
    cudaGraphNode_t mark;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&work, graph, nullptr, 0, &kernel);
    cudaGraphAddEventRecordNode(&mark, graph, &work, 1, done);
    cudaGraphInstantiate(&ready, graph, 0);
  }
};

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  Args copy = args;
  void* list[] = {&copy};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(scale);
  kernel.gridDim = dim3(static_cast<unsigned>(min((args.rows + 7) / 8, std::int64_t{8192})));
  kernel.blockDim = dim3(32, 8);
  kernel.kernelParams = list;
  static Plan plan(kernel);
  cudaGraphExecKernelNodeSetParams(plan.ready, plan.work, &kernel);

  cudaEventRecord(plan.begun, stream);
  cudaStreamWaitEvent(plan.own, plan.begun);
  cudaGraphLaunch(plan.ready, plan.own);
  cudaStreamWaitEvent(stream, plan.done);
}
