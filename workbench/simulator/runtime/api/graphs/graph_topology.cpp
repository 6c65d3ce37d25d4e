// What comes after what in a graph: asking for nodes and edges, and changing them.
#include <algorithm>

#include "simulator/runtime/api/graphs/graph_call.hpp"

using namespace klab::sim;

namespace {

/// Fills an array of handles as the toolkit's query functions do: a null array asks for the count,
/// a longer one gets null handles behind the last.
cudaError_t list_nodes(const std::vector<GraphNode*>& nodes, cudaGraphNode_t* out,
                       std::size_t* count) {
  if (count == nullptr) return cudaErrorInvalidValue;
  if (out != nullptr) {
    for (std::size_t i = 0; i < *count; ++i) {
      out[i] = i < nodes.size() ? handle_of(nodes[i]) : nullptr;
    }
    *count = std::min(*count, nodes.size());
  } else {
    *count = nodes.size();
  }
  return cudaSuccess;
}

/// The same with the data of the edges that lead to the nodes; who does not ask for data that is
/// there is told.
cudaError_t list_nodes(const std::vector<GraphNode*>& nodes,
                       const std::vector<cudaGraphEdgeData>& data, cudaGraphNode_t* out,
                       cudaGraphEdgeData* edges, std::size_t* count) {
  if (count == nullptr || (out == nullptr && edges != nullptr)) return cudaErrorInvalidValue;
  const std::size_t room = out == nullptr ? 0 : *count;
  if (edges == nullptr && room != 0 && !std::all_of(data.begin(), data.end(), is_plain))
    return cudaErrorLossyQuery;
  for (std::size_t i = 0; edges != nullptr && i < room; ++i)
    edges[i] = i < data.size() ? data[i] : cudaGraphEdgeData{};
  return list_nodes(nodes, out, count);
}

/// Calls `change` with the two ends of each edge, both nodes of the graph, and its data.
template <class Change>
cudaError_t for_each_edge(const Graph& graph, const cudaGraphNode_t* from,
                          const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                          std::size_t count, Change&& change) {
  if (count != 0 && (from == nullptr || to == nullptr)) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i) {
    GraphNode* first = graph.find(reinterpret_cast<const GraphNode*>(from[i]));
    GraphNode* second = graph.find(reinterpret_cast<const GraphNode*>(to[i]));
    if (first == nullptr || second == nullptr || first == second) return cudaErrorInvalidValue;
    const cudaGraphEdgeData edge = data != nullptr ? data[i] : cudaGraphEdgeData{};
    if (const cudaError_t code = change(first, second, edge); code != cudaSuccess) return code;
  }
  return cudaSuccess;
}

/// Where memory is allocated or freed by nodes, edges and nodes stay.
cudaError_t check_removal(Runtime& runtime, const Graph& graph) {
  for (const auto& node : graph.nodes) {
    if (node->type != cudaGraphNodeTypeMemAlloc && node->type != cudaGraphNodeTypeMemFree) continue;
    runtime.say(
        "No edge and no node can be taken out of a graph that allocates or frees memory: build the "
        "graph anew.");
    return cudaErrorNotSupported;
  }
  for (const auto& capture : runtime.streams.captures.active())
    if (capture->graph == &graph) return cudaErrorIllegalState;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  return with_graph(handle, [&](Runtime&, Graph& graph) {
    std::vector<GraphNode*> all;
    for (const auto& node : graph.nodes) all.push_back(node.get());
    return list_nodes(all, nodes, count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edges, size_t* count) {
  return with_graph(handle, [&](Runtime&, Graph& graph) {
    if (count == nullptr || (from == nullptr) != (to == nullptr)) return cudaErrorInvalidValue;
    std::size_t found = 0;
    for (const auto& node : graph.nodes) {
      for (GraphNode* dependency : node->dependencies) {
        const cudaGraphEdgeData data = node->edge_from(dependency);
        if (from != nullptr && edges == nullptr && !is_plain(data)) return cudaErrorLossyQuery;
        if (from != nullptr && found < *count) {
          from[found] = handle_of(dependency);
          to[found] = handle_of(node.get());
          if (edges != nullptr) edges[found] = data;
        }
        ++found;
      }
    }
    *count = from == nullptr ? found : std::min(found, *count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  return with_graph(handle, [&](Runtime&, Graph& graph) {
    std::vector<GraphNode*> roots;
    for (const auto& node : graph.nodes)
      if (node->dependencies.empty()) roots.push_back(node.get());
    return list_nodes(roots, nodes, count);
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData* edges, size_t* count) {
  return with_node(handle, cudaGraphNodeTypeCount, [&](Runtime&, GraphNode& node) {
    std::vector<cudaGraphEdgeData> data;
    for (const GraphNode* dependency : node.dependencies)
      data.push_back(node.edge_from(dependency));
    return list_nodes(node.dependencies, data, nodes, edges, count);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData* edges, size_t* count) {
  return with_node(handle, cudaGraphNodeTypeCount, [&](Runtime&, GraphNode& node) {
    std::vector<GraphNode*> dependents;
    std::vector<cudaGraphEdgeData> data;
    for (const auto& other : node.graph->nodes) {
      const auto& list = other->dependencies;
      if (std::find(list.begin(), list.end(), &node) == list.end()) continue;
      dependents.push_back(other.get());
      data.push_back(other->edge_from(&node));
    }
    return list_nodes(dependents, data, nodes, edges, count);
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                     size_t count) {
  return with_graph(handle, [&](Runtime&, Graph& graph) {
    const auto add = [](GraphNode* first, GraphNode* second, const cudaGraphEdgeData& data) {
      auto& list = second->dependencies;
      if (std::find(list.begin(), list.end(), first) != list.end()) return cudaErrorInvalidValue;
      if (!may_join(first->type, second->type, data)) return cudaErrorInvalidValue;
      list.push_back(first);
      second->set_edge(first, data);
      return cudaSuccess;
    };
    return for_each_edge(graph, from, to, edges, count, add);
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                        size_t count) {
  return with_graph(handle, [&](Runtime& runtime, Graph& graph) {
    if (const cudaError_t code = check_removal(runtime, graph); code != cudaSuccess) return code;
    const auto remove = [](GraphNode* first, GraphNode* second, const cudaGraphEdgeData& data) {
      const cudaGraphEdgeData have = second->edge_from(first);
      if (have.type != data.type || have.from_port != data.from_port) return cudaErrorInvalidValue;
      second->set_edge(first, {});
      return std::erase(second->dependencies, first) != 0 ? cudaSuccess : cudaErrorInvalidValue;
    };
    return for_each_edge(graph, from, to, edges, count, remove);
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return with_node(handle, cudaGraphNodeTypeCount, [](Runtime& runtime, GraphNode& node) {
    const cudaError_t code = check_removal(runtime, *node.graph);
    if (code == cudaSuccess) runtime.graphs.remove(&node);
    return code;
  });
}

}  // extern "C"
