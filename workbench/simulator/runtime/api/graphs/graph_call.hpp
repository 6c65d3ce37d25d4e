// Handle checks that all graph functions share. `name` is the function that calls them.
#pragma once

#include "simulator/runtime/api/api.hpp"
#include "simulator/runtime/streams/graphs/graph_work.hpp"

namespace klab::sim {

template <class Body>
cudaError_t with_graph(cudaGraph_t handle, Body&& body, const char* name = __builtin_FUNCTION()) {
  return api_call(
      [&](Runtime& runtime) {
        Graph* graph = runtime.graphs.find(handle);
        return graph == nullptr ? cudaErrorInvalidValue : body(runtime, *graph);
      },
      name);
}

/// The body sees a live node of the type; any type when `type` is the count.
template <class Body>
cudaError_t with_node(cudaGraphNode_t handle, cudaGraphNodeType type, Body&& body,
                      const char* name = __builtin_FUNCTION()) {
  return api_call(
      [&](Runtime& runtime) {
        GraphNode* node = runtime.graphs.find(handle);
        if (node == nullptr) return cudaErrorInvalidValue;
        if (type != cudaGraphNodeTypeCount && node->type != type) return cudaErrorInvalidValue;
        return body(runtime, *node);
      },
      name);
}

/// The body sees the step that an executable graph made of the node; of any type when `type` is the
/// count.
template <class Body>
cudaError_t with_step(cudaGraphExec_t handle, cudaGraphNode_t node, cudaGraphNodeType type,
                      Body&& body, const char* name = __builtin_FUNCTION()) {
  return api_call(
      [&](Runtime& runtime) {
        GraphExec* exec = runtime.graphs.find(handle);
        if (exec == nullptr) return cudaErrorInvalidValue;
        GraphExec::Step* step = exec->find(reinterpret_cast<const GraphNode*>(node));
        if (step == nullptr) return cudaErrorInvalidValue;
        const bool fits = type == cudaGraphNodeTypeCount || step->type == type;
        const cudaError_t code = fits ? body(*step) : cudaErrorInvalidValue;
        exec->changed();
        return code;
      },
      name);
}

/// The body sees the work of a node, or of an executable graph's step of it, and may change it.
template <class Body>
cudaError_t with_work(cudaGraphNode_t node, cudaGraphNodeType type, Body&& body,
                      const char* name = __builtin_FUNCTION()) {
  return with_node(
      node, type, [&](Runtime&, GraphNode& found) { return body(found.work); }, name);
}
template <class Body>
cudaError_t with_work(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeType type,
                      Body&& body, const char* name = __builtin_FUNCTION()) {
  return with_step(
      exec, node, type, [&](GraphExec::Step& step) { return body(step.work); }, name);
}

/// Makes a node: `fill` writes the work and says whether its parameters are good.
template <class Fill>
cudaError_t add_node(cudaGraphNode_t* out, cudaGraph_t handle, const cudaGraphNode_t* dependencies,
                     std::size_t count, cudaGraphNodeType type, Fill&& fill,
                     const char* name = __builtin_FUNCTION()) {
  return with_graph(
      handle,
      [&](Runtime& runtime, Graph& graph) {
        if (out == nullptr || (dependencies == nullptr && count != 0)) return cudaErrorInvalidValue;
        std::vector<GraphNode*> after;
        for (std::size_t i = 0; i < count; ++i)
          after.push_back(runtime.graphs.find(dependencies[i]));
        Work work;
        if (const cudaError_t code = fill(runtime, work); code != cudaSuccess) return code;
        GraphNode* node = nullptr;
        const cudaError_t code = runtime.graphs.add(graph, type, std::move(work), after, &node);
        if (code == cudaSuccess) *out = handle_of(node);
        return code;
      },
      name);
}

/// The same three for nodes that parameters describe.
template <class Parameters>
cudaError_t add_node(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                     std::size_t count, const Parameters* parameters,
                     const char* name = __builtin_FUNCTION()) {
  return add_node(
      out, graph, dependencies, count, type_of(parameters),
      [&](Runtime&, Work& work) {
        return parameters == nullptr ? cudaErrorInvalidValue : make_work(*parameters, work);
      },
      name);
}

template <class Parameters>
cudaError_t set_node(cudaGraphNode_t node, const Parameters* parameters,
                     const char* name = __builtin_FUNCTION()) {
  return with_work(
      node, type_of(parameters),
      [&](Work& work) {
        return parameters == nullptr ? cudaErrorInvalidValue : make_work(*parameters, work);
      },
      name);
}

template <class Parameters>
cudaError_t set_step(cudaGraphExec_t exec, cudaGraphNode_t node, const Parameters* parameters,
                     const char* name = __builtin_FUNCTION()) {
  return with_work(
      exec, node, type_of(parameters),
      [&](Work& work) {
        return parameters == nullptr ? cudaErrorInvalidValue : make_work(*parameters, work);
      },
      name);
}

/// What reads a node's parameters: `read` makes them of its work.
template <class Parameters, class Read>
cudaError_t get_parameters(cudaGraphNode_t node, cudaGraphNodeType type, Parameters* out,
                           Read&& read, const char* name = __builtin_FUNCTION()) {
  return with_work(
      node, type, [&](Work& work) { return give(out, read(work)); }, name);
}

}  // namespace klab::sim
