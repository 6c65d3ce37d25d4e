// Conditional nodes and the handles that kernels set.
#include "simulator/runtime/api/graphs/graph_conditional.hpp"

#include "simulator/runtime/api/graphs/graph_call.hpp"

using namespace klab::sim;

namespace {

bool is_size_of(cudaGraphConditionalNodeType type, unsigned size) {
  switch (type) {
    case cudaGraphCondTypeIf:
      return size == 1 || size == 2;
    case cudaGraphCondTypeWhile:
      return size == 1;
    case cudaGraphCondTypeSwitch:
      return size > 0;
    default:
      return false;
  }
}

/// A handle of this graph, or of one that it is inside of, that no node has yet; null if it is
/// none.
GraphCondition* free_condition(Graph& graph, std::uint64_t handle) {
  for (Graph* place = &graph; place != nullptr;
       place = place->owner != nullptr ? place->owner->graph : nullptr)
    for (GraphCondition& condition : place->conditions)
      if (condition.handle == handle) return condition.taken ? nullptr : &condition;
  return nullptr;
}

}  // namespace

cudaError_t klab::sim::add_conditional_node(cudaGraphNode_t* out, cudaGraph_t graph,
                                            const cudaGraphNode_t* dependencies, std::size_t count,
                                            cudaConditionalNodeParams& parameters,
                                            const char* name) {
  const cudaError_t code = add_node(
      out, graph, dependencies, count, cudaGraphNodeTypeConditional,
      [&](Runtime& runtime, Work& work) {
        const GraphCondition* free = free_condition(*runtime.graphs.find(graph), parameters.handle);
        if (free == nullptr || !is_size_of(parameters.type, parameters.size))
          return cudaErrorInvalidValue;
        work = ConditionalWork{parameters.handle, parameters.type, {}};
        return cudaSuccess;
      },
      name);
  if (code != cudaSuccess) return code;
  return api_call(
      [&](Runtime& runtime) {
        GraphNode& node = *runtime.graphs.find(*out);
        free_condition(*node.graph, parameters.handle)->taken = true;
        for (unsigned i = 0; i < parameters.size; ++i) runtime.graphs.create_inner(node);
        parameters.phGraph_out = reinterpret_cast<cudaGraph_t*>(node.inner.data());
        return cudaSuccess;
      },
      name);
}

extern "C" {

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* out, cudaGraph_t handle,
                                             unsigned int at_launch, unsigned int flags) {
  return with_graph(handle, [&](Runtime& runtime, Graph& graph) {
    if (out == nullptr || (flags & ~unsigned{cudaGraphCondAssignDefault}) != 0)
      return cudaErrorInvalidValue;
    GraphCondition condition{.handle = runtime.conditions.create()};
    if ((flags & cudaGraphCondAssignDefault) != 0) condition.at_launch = at_launch;
    *out = condition.handle;
    graph.conditions.push_back(condition);
    return cudaSuccess;
  });
}

}  // extern "C"
