// The node function that takes any type: it unpacks the parameters as the specific functions take
// them.
#include "simulator/runtime/api/graph_call.hpp"

using namespace klab::sim;

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                             size_t count, cudaGraphNodeParams* p) {
  if (p == nullptr) return Errors::record(cudaErrorInvalidValue);
  const auto add = [&](const auto& own) {
    return add_node(out, graph, dependencies, count, &own, "cudaGraphAddNode");
  };
  switch (p->type) {
    case cudaGraphNodeTypeKernel:
      return add(cudaKernelNodeParams{p->kernel.func, p->kernel.gridDim, p->kernel.blockDim,
                                      p->kernel.sharedMemBytes, p->kernel.kernelParams,
                                      p->kernel.extra});
    case cudaGraphNodeTypeMemcpy:
      return add(p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return add(cudaMemsetParams{p->memset.dst, p->memset.pitch, p->memset.value,
                                  p->memset.elementSize, p->memset.width, p->memset.height});
    case cudaGraphNodeTypeHost:
      return add(cudaHostNodeParams{p->host.fn, p->host.userData});
    case cudaGraphNodeTypeGraph:
      return cudaGraphAddChildGraphNode(out, graph, dependencies, count, p->graph.graph);
    case cudaGraphNodeTypeEmpty:
      return cudaGraphAddEmptyNode(out, graph, dependencies, count);
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphAddEventRecordNode(out, graph, dependencies, count, p->eventRecord.event);
    case cudaGraphNodeTypeWaitEvent:
      return cudaGraphAddEventWaitNode(out, graph, dependencies, count, p->eventWait.event);
    default:
      return Errors::record(cudaErrorNotSupported);
  }
}

}  // extern "C"
