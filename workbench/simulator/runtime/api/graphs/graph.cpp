// Graphs as such: creation, copying, what is in them.
#include <cstdio>

#include "simulator/runtime/api/graphs/graph_call.hpp"

using namespace klab::sim;

namespace {

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
    case cudaGraphNodeTypeConditional:
      return "conditional";
    default:
      return "node";
  }
}

/// The nodes, their edges, and what is inside of them.
void print_nodes(std::FILE* file, const Graph& graph) {
  for (const auto& node : graph.nodes) {
    const auto* kernel = std::get_if<KernelWork>(&node->work);
    std::fprintf(file, "  \"%p\" [label=\"%s %s\"];\n", static_cast<void*>(node.get()),
                 type_name(node->type), kernel != nullptr ? kernel->kernel->name.c_str() : "");
    for (const GraphNode* dependency : node->dependencies) {
      std::fprintf(file, "  \"%p\" -> \"%p\";\n", static_cast<const void*>(dependency),
                   static_cast<void*>(node.get()));
    }
    for (const Graph* inner : node->inner) {
      std::fprintf(file, "  subgraph \"cluster_%p\" {\n", static_cast<const void*>(inner));
      print_nodes(file, *inner);
      std::fprintf(file, "  }\n");
    }
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
    if (graph.owner != nullptr) return cudaErrorInvalidValue;  // it goes with its node
    runtime.graphs.destroy(&graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t handle) {
  return with_graph(handle, [&](Runtime& runtime, Graph& graph) {
    if (clone == nullptr) return cudaErrorInvalidValue;
    if (has_conditional_nodes(graph) || has_memory_nodes(graph)) {
      runtime.say(
          "A graph with conditional nodes, or with nodes that allocate or free memory, can't be "
          "cloned (cudaGraphClone): build it a second time.");
      return cudaErrorNotSupported;
    }
    *clone = handle_of(runtime.graphs.clone(graph));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* out, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  return with_graph(clone, [&](Runtime& runtime, Graph& graph) {
    const GraphNode* wanted = runtime.graphs.find(original);
    if (out == nullptr || wanted == nullptr) return cudaErrorInvalidValue;
    for (const auto& node : graph.nodes)
      if (node->copy_of == wanted->id) return give(out, handle_of(node.get()));
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return with_node(handle, cudaGraphNodeTypeCount,
                   [&](Runtime&, GraphNode& node) { return give(type, node.type); });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char* path, unsigned int) {
  return with_graph(handle, [&](Runtime&, Graph& graph) {
    std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "w");
    if (file == nullptr) return cudaErrorOperatingSystem;
    std::fprintf(file, "digraph graph_1 {\n");
    print_nodes(file, graph);
    std::fprintf(file, "}\n");
    return std::fclose(file) == 0 ? cudaSuccess : cudaErrorOperatingSystem;
  });
}

}  // extern "C"
