// Node functions that take any type: they unpack the parameters as the specific functions take
// them.
#include "simulator/runtime/api/graph_call.hpp"

using namespace klab::sim;

namespace {

/// Calls `visit` with the parameters of the node's own type, for the types whose parameters can be
/// set later; `other` for the rest.
template <class Visit, class Other>
cudaError_t unpack(const cudaGraphNodeParams* p, Visit&& visit, Other&& other) {
  if (p == nullptr) return Errors::record(cudaErrorInvalidValue);
  switch (p->type) {
    case cudaGraphNodeTypeKernel:
      return visit(cudaKernelNodeParams{p->kernel.func, p->kernel.gridDim, p->kernel.blockDim,
                                        p->kernel.sharedMemBytes, p->kernel.kernelParams,
                                        p->kernel.extra});
    case cudaGraphNodeTypeMemcpy:
      return visit(p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return visit(cudaMemsetParams{p->memset.dst, p->memset.pitch, p->memset.value,
                                    p->memset.elementSize, p->memset.width, p->memset.height});
    case cudaGraphNodeTypeHost:
      return visit(cudaHostNodeParams{p->host.fn, p->host.userData});
    default:
      return other();
  }
}

cudaError_t unsupported() { return Errors::record(cudaErrorNotSupported); }

}  // namespace

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                             size_t count, cudaGraphNodeParams* parameters) {
  const auto add = [&](const auto& own) {
    return add_node(out, graph, dependencies, count, &own, "cudaGraphAddNode");
  };
  return unpack(parameters, add, [&] {
    switch (parameters->type) {
      case cudaGraphNodeTypeGraph:
        return cudaGraphAddChildGraphNode(out, graph, dependencies, count, parameters->graph.graph);
      case cudaGraphNodeTypeEmpty:
        return cudaGraphAddEmptyNode(out, graph, dependencies, count);
      case cudaGraphNodeTypeEventRecord:
        return cudaGraphAddEventRecordNode(out, graph, dependencies, count,
                                           parameters->eventRecord.event);
      case cudaGraphNodeTypeWaitEvent:
        return cudaGraphAddEventWaitNode(out, graph, dependencies, count,
                                         parameters->eventWait.event);
      default:
        return unsupported();
    }
  });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  const auto set = [&](const auto& own) { return set_node(node, &own, "cudaGraphNodeSetParams"); };
  return unpack(parameters, set, [&] {
    return parameters->type == cudaGraphNodeTypeEventRecord
               ? cudaGraphEventRecordNodeSetEvent(node, parameters->eventRecord.event)
               : unsupported();
  });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
  const auto set = [&](const auto& own) {
    return set_step(exec, node, &own, "cudaGraphExecNodeSetParams");
  };
  return unpack(parameters, set, unsupported);
}

}  // extern "C"
