// Rejected by: correct — a graph made by hand: nothing says that the counts are set to zero before
// the kernel adds to them
#include "contract.cuh"

namespace {

__global__ void histogram(Args args) {
  __shared__ unsigned own[values];
  for (int i = threadIdx.x; i < values; i += blockDim.x) own[i] = 0;
  __syncthreads();
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
       i < args.count; i += stride)
    atomicAdd(&own[args.pixels[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < values; i += blockDim.x) atomicAdd(&args.counts[i], own[i]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaMemsetParams zeros{};
  zeros.dst = args.counts;
  zeros.elementSize = sizeof(unsigned);
  zeros.width = values;
  zeros.height = 1;
  cudaGraphNode_t node;
  cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &zeros);
  Args copy = args;
  void* parameters[] = {&copy};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(&histogram);
  kernel.gridDim = dim3(264);
  kernel.blockDim = dim3(256);
  kernel.kernelParams = parameters;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphDestroy(graph);
  cudaGraphLaunch(exec, stream);
  cudaGraphExecDestroy(exec);
}
