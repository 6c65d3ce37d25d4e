// Node functions that take any type: they unpack the parameters for the specific functions.
#include "simulator/runtime/api/graph_call.hpp"

using namespace klab::sim;

namespace {

cudaKernelNodeParams kernel_of(const cudaGraphNodeParams& p) {
  return {p.kernel.func,           p.kernel.gridDim,      p.kernel.blockDim,
          p.kernel.sharedMemBytes, p.kernel.kernelParams, p.kernel.extra};
}

cudaMemsetParams memset_of(const cudaGraphNodeParams& p) {
  return {p.memset.dst,         p.memset.pitch, p.memset.value,
          p.memset.elementSize, p.memset.width, p.memset.height};
}

cudaHostNodeParams host_of(const cudaGraphNodeParams& p) { return {p.host.fn, p.host.userData}; }

}  // namespace

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                             size_t count, cudaGraphNodeParams* parameters) {
  if (parameters == nullptr) return Errors::record(cudaErrorInvalidValue);
  switch (parameters->type) {
    case cudaGraphNodeTypeKernel: {
      const auto kernel = kernel_of(*parameters);
      return cudaGraphAddKernelNode(out, graph, dependencies, count, &kernel);
    }
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphAddMemcpyNode(out, graph, dependencies, count,
                                    &parameters->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
      const auto memset = memset_of(*parameters);
      return cudaGraphAddMemsetNode(out, graph, dependencies, count, &memset);
    }
    case cudaGraphNodeTypeHost: {
      const auto host = host_of(*parameters);
      return cudaGraphAddHostNode(out, graph, dependencies, count, &host);
    }
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
      return Errors::record(cudaErrorNotSupported);
  }
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  if (parameters == nullptr) return Errors::record(cudaErrorInvalidValue);
  switch (parameters->type) {
    case cudaGraphNodeTypeKernel: {
      const auto kernel = kernel_of(*parameters);
      return cudaGraphKernelNodeSetParams(node, &kernel);
    }
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphMemcpyNodeSetParams(node, &parameters->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
      const auto memset = memset_of(*parameters);
      return cudaGraphMemsetNodeSetParams(node, &memset);
    }
    case cudaGraphNodeTypeHost: {
      const auto host = host_of(*parameters);
      return cudaGraphHostNodeSetParams(node, &host);
    }
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphEventRecordNodeSetEvent(node, parameters->eventRecord.event);
    default:
      return Errors::record(cudaErrorNotSupported);
  }
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
  if (parameters == nullptr) return Errors::record(cudaErrorInvalidValue);
  switch (parameters->type) {
    case cudaGraphNodeTypeKernel: {
      const auto kernel = kernel_of(*parameters);
      return cudaGraphExecKernelNodeSetParams(exec, node, &kernel);
    }
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphExecMemcpyNodeSetParams(exec, node, &parameters->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
      const auto memset = memset_of(*parameters);
      return cudaGraphExecMemsetNodeSetParams(exec, node, &memset);
    }
    case cudaGraphNodeTypeHost: {
      const auto host = host_of(*parameters);
      return cudaGraphExecHostNodeSetParams(exec, node, &host);
    }
    default:
      return Errors::record(cudaErrorNotSupported);
  }
}

}  // extern "C"
