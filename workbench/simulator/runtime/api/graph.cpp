// Graphs as such: creation, copying, topology.
#include <algorithm>
#include <cstdio>

#include "simulator/runtime/api/graph_call.hpp"

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

const char* type_name(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "kernel";
    case cudaGraphNodeTypeMemcpy:
      return "copy";
    case cudaGraphNodeTypeMemset:
      return "memset";
    case cudaGraphNodeTypeHost:
      return "host";
    case cudaGraphNodeTypeGraph:
      return "graph";
    case cudaGraphNodeTypeEmpty:
      return "empty";
    case cudaGraphNodeTypeWaitEvent:
      return "event wait";
    case cudaGraphNodeTypeEventRecord:
      return "event record";
    case cudaGraphNodeTypeMemAlloc:
      return "allocate";
    case cudaGraphNodeTypeMemFree:
      return "free";
    default:
      return "node";
  }
}

}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return api_call([&](Runtime& runtime) {
    if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
    *graph = handle_of(runtime.graphs.create());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  return with_graph(handle, [](Runtime& runtime, Graph& graph) {
    runtime.graphs.destroy(&graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t handle) {
  return with_graph(handle, [&](Runtime& runtime, Graph& graph) {
    if (clone == nullptr) return cudaErrorInvalidValue;
    *clone = handle_of(runtime.graphs.clone(graph));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return with_node(handle, cudaGraphNodeTypeCount,
                   [&](Runtime&, GraphNode& node) { return give(type, node.type); });
}

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
        if (from != nullptr && found < *count) {
          from[found] = handle_of(dependency);
          to[found] = handle_of(node.get());
          if (edges != nullptr) edges[found] = {};
        }
        ++found;
      }
    }
    *count = from == nullptr ? found : std::min(found, *count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     size_t count) {
  return with_graph(handle, [&](Runtime&, Graph& graph) {
    for (size_t i = 0; i < count; ++i) {
      GraphNode* first = graph.find(reinterpret_cast<const GraphNode*>(from[i]));
      GraphNode* second = graph.find(reinterpret_cast<const GraphNode*>(to[i]));
      if (first == nullptr || second == nullptr || first == second) return cudaErrorInvalidValue;
      auto& list = second->dependencies;
      if (std::find(list.begin(), list.end(), first) != list.end()) return cudaErrorInvalidValue;
      list.push_back(first);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char* path, unsigned int) {
  return with_graph(handle, [&](Runtime&, Graph& graph) {
    std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "w");
    if (file == nullptr) return cudaErrorOperatingSystem;
    std::fprintf(file, "digraph graph_1 {\n");
    for (const auto& node : graph.nodes) {
      const auto* kernel = std::get_if<KernelWork>(&node->work);
      std::fprintf(file, "  \"%p\" [label=\"%s %s\"];\n", static_cast<void*>(node.get()),
                   type_name(node->type), kernel != nullptr ? kernel->kernel->name.c_str() : "");
      for (const GraphNode* dependency : node->dependencies) {
        std::fprintf(file, "  \"%p\" -> \"%p\";\n", static_cast<const void*>(dependency),
                     static_cast<void*>(node.get()));
      }
    }
    std::fprintf(file, "}\n");
    return std::fclose(file) == 0 ? cudaSuccess : cudaErrorOperatingSystem;
  });
}

}  // extern "C"
