// Nodes that fill memory, call the host, hold a graph or nothing: adding them, their parameters.
#include "simulator/runtime/api/graphs/graph_call.hpp"

using namespace klab::sim;

extern "C" {

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
  return add_node(out, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return get_parameters(node, cudaGraphNodeTypeMemset, parameters, memset_parameters);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return set_node(node, parameters);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return set_step(exec, node, parameters);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return add_node(out, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return get_parameters(node, cudaGraphNodeTypeHost, parameters, host_parameters);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return set_node(node, parameters);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return set_step(exec, node, parameters);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return add_node(out, graph, dependencies, count, cudaGraphNodeTypeEmpty,
                  [](Runtime&, Work&) { return cudaSuccess; });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child_handle) {
  const cudaError_t code = add_node(
      out, graph, dependencies, count, cudaGraphNodeTypeGraph, [&](Runtime& runtime, Work&) {
        const Graph* child = runtime.graphs.find(child_handle);
        if (child == nullptr || child_handle == graph) return cudaErrorInvalidValue;
        if (!has_conditional_nodes(*child)) return cudaSuccess;
        runtime.say(
            "A graph with conditional nodes can't be a child graph (cudaGraphAddChildGraphNode): "
            "add its nodes to the graph itself.");
        return cudaErrorNotSupported;
      });
  if (code != cudaSuccess) return code;
  return api_call([&](Runtime& runtime) {
    runtime.graphs.create_inner(*runtime.graphs.find(*out), runtime.graphs.find(child_handle));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return with_node(node, cudaGraphNodeTypeGraph, [&](Runtime&, GraphNode& found) {
    // One of a captured launch of an executable graph has none.
    return found.inner.empty() ? cudaErrorNotSupported : give(graph, handle_of(found.inner[0]));
  });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return with_step(exec, node, cudaGraphNodeTypeGraph, [&](GraphExec::Step& step) {
    Graphs& graphs = Runtime::instance().graphs;
    const Graph* graph = graphs.find(child);
    return graph == nullptr ? cudaErrorInvalidValue : graphs.replace_inner(step, *graph);
  });
}

}  // extern "C"
