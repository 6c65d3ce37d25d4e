// Graphs as such: creation, copying, topology, user objects.
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

std::vector<GraphNode*> dependents_of(const GraphNode& node) {
  std::vector<GraphNode*> result;
  for (const auto& other : node.graph->nodes) {
    const auto& list = other->dependencies;
    if (std::find(list.begin(), list.end(), &node) != list.end()) result.push_back(other.get());
  }
  return result;
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

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* out, cudaGraphNode_t original,
                                     cudaGraph_t handle) {
  return with_graph(handle, [&](Runtime&, Graph& graph) {
    if (out == nullptr) return cudaErrorInvalidValue;
    for (const auto& node : graph.nodes) {
      if (handle_of(node->original) != original) continue;
      *out = handle_of(node.get());
      return cudaSuccess;
    }
    return cudaErrorInvalidValue;
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

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  return with_graph(handle, [&](Runtime&, Graph& graph) {
    std::vector<GraphNode*> roots;
    for (const auto& node : graph.nodes) {
      if (node->dependencies.empty()) roots.push_back(node.get());
    }
    return list_nodes(roots, nodes, count);
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

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData* edges, size_t* count) {
  return with_node(handle, cudaGraphNodeTypeCount, [&](Runtime&, GraphNode& node) {
    const cudaError_t code = list_nodes(node.dependencies, nodes, count);
    if (code == cudaSuccess && edges != nullptr) std::fill_n(edges, *count, cudaGraphEdgeData{});
    return code;
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData* edges, size_t* count) {
  return with_node(handle, cudaGraphNodeTypeCount, [&](Runtime&, GraphNode& node) {
    const cudaError_t code = list_nodes(dependents_of(node), nodes, count);
    if (code == cudaSuccess && edges != nullptr) std::fill_n(edges, *count, cudaGraphEdgeData{});
    return code;
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

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  return with_graph(handle, [&](Runtime&, Graph& graph) {
    for (size_t i = 0; i < count; ++i) {
      GraphNode* second = graph.find(reinterpret_cast<const GraphNode*>(to[i]));
      if (second == nullptr) return cudaErrorInvalidValue;
      const auto* first = reinterpret_cast<const GraphNode*>(from[i]);
      if (std::erase(second->dependencies, first) == 0) return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return with_node(handle, cudaGraphNodeTypeCount, [](Runtime& runtime, GraphNode& node) {
    const bool memory =
        node.type == cudaGraphNodeTypeMemAlloc || node.type == cudaGraphNodeTypeMemFree;
    if (memory) return cudaErrorNotSupported;  // as documented
    runtime.graphs.remove(&node);
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

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int flags) {
  return api_call([&](Runtime& runtime) {
    if (object == nullptr || destroy == nullptr || references == 0 ||
        flags != cudaUserObjectNoDestructorSync) {
      return cudaErrorInvalidValue;
    }
    *object = reinterpret_cast<cudaUserObject_t>(
        runtime.graphs.create_user_object(pointer, destroy, references));
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned int count) {
  return api_call([&](Runtime& runtime) {
    UserObject* object = runtime.graphs.find(handle);
    if (object == nullptr || count == 0) return cudaErrorInvalidValue;
    object->references += count;
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned int count) {
  return api_call([&](Runtime& runtime) {
    UserObject* object = runtime.graphs.find(handle);
    if (object == nullptr || count == 0) return cudaErrorInvalidValue;
    runtime.graphs.release(object, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object_handle,
                                      unsigned int count, unsigned int flags) {
  return with_graph(handle, [&](Runtime& runtime, Graph& graph) {
    UserObject* object = runtime.graphs.find(object_handle);
    if (object == nullptr || count == 0) return cudaErrorInvalidValue;
    if ((flags & cudaGraphUserObjectMove) == 0) object->references += count;
    graph.user_objects[object] += count;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object_handle,
                                       unsigned int count) {
  return with_graph(handle, [&](Runtime& runtime, Graph& graph) {
    UserObject* object = runtime.graphs.find(object_handle);
    const auto held = graph.user_objects.find(object);
    if (object == nullptr || held == graph.user_objects.end() || held->second < count) {
      return cudaErrorInvalidValue;
    }
    if ((held->second -= count) == 0) graph.user_objects.erase(held);
    runtime.graphs.release(object, count);
    return cudaSuccess;
  });
}

}  // extern "C"
