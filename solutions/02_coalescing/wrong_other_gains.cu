// Rejected by: correct — a graph is kept for as long as all arguments but the gains' address stay
// the same
#include "contract.cuh"

namespace {

__global__ void scale(Args a) {
  const std::int64_t row = blockIdx.x;
  const float g = a.gain[row];
  for (std::int64_t c = threadIdx.x; c < a.columns; c += blockDim.x)
    a.out[row * a.columns + c] = g * a.in[row * a.columns + c];
}
struct Plan {
  Args args{};
  cudaGraphExec_t exec = nullptr;
};
Plan plan;

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  if (!plan.exec || plan.args.in != a.in || plan.args.out != a.out || plan.args.rows != a.rows ||
      plan.args.columns != a.columns) {
    if (plan.exec) cudaGraphExecDestroy(plan.exec);
    plan.args = a;
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaKernelNodeParams p{};
    void* argv[] = {&plan.args};
    p.func = (void*)scale;
    p.gridDim = dim3((unsigned)a.rows);
    p.blockDim = dim3(128);
    p.kernelParams = argv;
    cudaGraphNode_t node;
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p);
    cudaGraphInstantiate(&plan.exec, graph, 0);
    cudaGraphDestroy(graph);
  }
  cudaGraphLaunch(plan.exec, stream);
}
