// Rejected by: correct — memory is asked for while the stream is captured
#include "contract.cuh"
__global__ void descend(float* w, const float* g, const float* rates, const std::int64_t* starts) {
  const float r = rates[blockIdx.x];
  for (std::int64_t i = starts[blockIdx.x] + threadIdx.x; i < starts[blockIdx.x + 1]; i += 256)
    w[i] -= r * g[i];
}
void launch(const Args& a, cudaStream_t s) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  std::int64_t* table;
  const std::size_t bytes = (a.tensors + 1ll) * sizeof(std::int64_t);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMalloc(&table, bytes);
  cudaMemcpyAsync(table, a.starts, bytes, cudaMemcpyHostToDevice, s);
  descend<<<a.tensors, 256, 0, s>>>(a.weights, a.gradients, a.rates, table);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(table);
}
