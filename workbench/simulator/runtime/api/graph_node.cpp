// Nodes of a graph: adding them, and reading or changing their parameters.
#include "simulator/runtime/api/graph_call.hpp"

using namespace klab::sim;

extern "C" {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return add_node(out, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle, cudaKernelNodeParams* parameters) {
  return with_node(handle, cudaGraphNodeTypeKernel, [&](Runtime&, GraphNode& node) {
    return give(parameters, kernel_parameters(node));
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t handle,
                                         const cudaKernelNodeParams* parameters) {
  return set_node(handle, parameters);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return add_node(out, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  return add_node(
      out, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
      [&](Runtime&, Work& work) { return linear_copy_work(to, from, bytes, kind, work); });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
  return add_node(out, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return add_node(out, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return add_node(out, graph, dependencies, count, cudaGraphNodeTypeEmpty,
                  [](Runtime&, Work&) { return cudaSuccess; });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  return add_node(out, graph, dependencies, count, cudaGraphNodeTypeEventRecord,
                  [&](Runtime& runtime, Work& work) {
                    const EventPointer found = runtime.streams.find(event);
                    if (!found) return cudaErrorInvalidValue;
                    work = EventWork{found};
                    return cudaSuccess;
                  });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
  return add_node(out, graph, dependencies, count, cudaGraphNodeTypeWaitEvent,
                  [&](Runtime& runtime, Work& work) {
                    const EventPointer found = runtime.streams.find(event);
                    if (!found) return cudaErrorInvalidValue;
                    work = WaitWork{found};
                    return cudaSuccess;
                  });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child_handle) {
  const cudaError_t code = add_node(
      out, graph, dependencies, count, cudaGraphNodeTypeGraph, [&](Runtime& runtime, Work&) {
        const Graph* child = runtime.graphs.find(child_handle);
        return child == nullptr || child_handle == graph ? cudaErrorInvalidValue : cudaSuccess;
      });
  if (code != cudaSuccess) return code;
  return api_call([&](Runtime& runtime) {
    runtime.graphs.find(*out)->child = runtime.graphs.clone(*runtime.graphs.find(child_handle));
    return cudaSuccess;
  });
}

}  // extern "C"
