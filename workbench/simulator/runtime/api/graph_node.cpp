// Nodes of a graph: adding them, and reading or changing their parameters.
#include "simulator/runtime/api/graph_call.hpp"
#include "simulator/runtime/streams/copy.hpp"
#include "simulator/runtime/streams/launch.hpp"

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

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID id,
                                            const cudaLaunchAttributeValue* value) {
  return with_node(handle, cudaGraphNodeTypeKernel, [&](Runtime&, GraphNode& node) {
    if (value == nullptr) return cudaErrorInvalidValue;
    return apply_launch_attribute(std::get<KernelWork>(node.work), id, *value);
  });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID id,
                                            cudaLaunchAttributeValue* value) {
  return with_node(handle, cudaGraphNodeTypeKernel, [&](Runtime&, GraphNode& node) {
    if (value == nullptr) return cudaErrorInvalidValue;
    const auto& work = std::get<KernelWork>(node.work);
    *value = {};
    if (id == cudaLaunchAttributeCooperative) value->cooperative = work.cooperative ? 1 : 0;
    if (id == cudaLaunchAttributeClusterDimension) {
      value->clusterDim = {work.cluster.x, work.cluster.y, work.cluster.z};
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return with_node(to, cudaGraphNodeTypeKernel, [&](Runtime& runtime, GraphNode& node) {
    const GraphNode* source = runtime.graphs.find(from);
    if (source == nullptr || source->type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
    auto& work = std::get<KernelWork>(node.work);
    work.cluster = std::get<KernelWork>(source->work).cluster;
    work.cooperative = std::get<KernelWork>(source->work).cooperative;
    return cudaSuccess;
  });
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

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* out, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return add_node(out, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
                  [&](Runtime&, Work& work) {
                    return copy_to_symbol_work(symbol, from, bytes, offset, kind, work);
                  });
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* out, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             void* to, const void* symbol, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind) {
  return add_node(out, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
                  [&](Runtime&, Work& work) {
                    return copy_from_symbol_work(to, symbol, bytes, offset, kind, work);
                  });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t handle, cudaMemcpy3DParms* parameters) {
  return with_node(handle, cudaGraphNodeTypeMemcpy, [&](Runtime&, GraphNode& node) {
    return give(parameters, as_parameters(std::get<CopyWork>(node.work)));
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t handle,
                                         const cudaMemcpy3DParms* parameters) {
  return set_node(handle, parameters);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t handle, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind) {
  return with_node(handle, cudaGraphNodeTypeMemcpy, [&](Runtime&, GraphNode& node) {
    return linear_copy_work(to, from, bytes, kind, node.work);
  });
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t handle, const void* symbol,
                                                 const void* from, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind) {
  return with_node(handle, cudaGraphNodeTypeMemcpy, [&](Runtime&, GraphNode& node) {
    return copy_to_symbol_work(symbol, from, bytes, offset, kind, node.work);
  });
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t handle, void* to,
                                                   const void* symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  return with_node(handle, cudaGraphNodeTypeMemcpy, [&](Runtime&, GraphNode& node) {
    return copy_from_symbol_work(to, symbol, bytes, offset, kind, node.work);
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
  return add_node(out, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t handle, cudaMemsetParams* parameters) {
  return with_node(handle, cudaGraphNodeTypeMemset, [&](Runtime&, GraphNode& node) {
    const auto& work = std::get<MemsetWork>(node.work);
    return give(parameters, cudaMemsetParams{work.destination, work.pitch, work.value,
                                             work.element_bytes, work.width, work.height});
  });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t handle,
                                         const cudaMemsetParams* parameters) {
  return set_node(handle, parameters);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return add_node(out, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t handle, cudaHostNodeParams* parameters) {
  return with_node(handle, cudaGraphNodeTypeHost, [&](Runtime&, GraphNode& node) {
    const auto& work = std::get<HostWork>(node.work);
    return give(parameters, cudaHostNodeParams{work.function, work.user_data});
  });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t handle,
                                       const cudaHostNodeParams* parameters) {
  return set_node(handle, parameters);
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

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t handle, cudaEvent_t* event) {
  return with_node(handle, cudaGraphNodeTypeEventRecord, [&](Runtime&, GraphNode& node) {
    return give(event, handle_of(std::get<EventWork>(node.work).event));
  });
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t handle, cudaEvent_t event) {
  return with_node(handle, cudaGraphNodeTypeEventRecord, [&](Runtime& runtime, GraphNode& node) {
    const EventPointer found = runtime.streams.find(event);
    if (!found) return cudaErrorInvalidValue;
    node.work = EventWork{found};
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

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t* graph) {
  return with_node(handle, cudaGraphNodeTypeGraph,
                   [&](Runtime&, GraphNode& node) { return give(graph, handle_of(node.child)); });
}

}  // extern "C"
