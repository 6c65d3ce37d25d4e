// Graphs of work: nodes with dependencies, and their executable form.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {

struct Graph;

/// Device memory of a graph's allocation node. It lives as long as a graph or an executable graph
/// that holds the node.
struct GraphMemory {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;

  GraphMemory(std::uint64_t at, std::uint64_t size) : address(at), bytes(size) {}
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
};

struct GraphNode {
  Graph* graph = nullptr;
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  Work work;                             ///< child graphs: see `child`
  std::vector<GraphNode*> dependencies;  ///< nodes of the same graph, no duplicates
  Graph* child = nullptr;                ///< owned by the node's graph
  std::shared_ptr<GraphMemory> memory;   ///< of an allocation node
  std::uint64_t freed_address = 0;       ///< of a free node
  std::vector<void*> argument_pointers;  ///< what cudaGraphKernelNodeGetParams hands out
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;  ///< in order of creation

  GraphNode* find(const GraphNode* node) const;
};

/// A graph made ready to launch. Nodes keep their identity, so that they can be updated by handle.
struct GraphExec {
  struct Step {
    const GraphNode* node = nullptr;
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    std::vector<std::size_t> dependencies;  ///< indices of nodes in order of creation
    Work work;
    std::vector<std::shared_ptr<GraphMemory>> memory = {};  ///< kept alive, of child graphs too
    bool enabled = true;
  };
  std::vector<Step> steps;                      ///< in order of creation
  std::vector<std::size_t> order;               ///< an order of execution
  std::shared_ptr<const GraphProgram> program;  ///< rebuilt after an update

  Step* find(const GraphNode* node);
  /// The program of enabled steps, made when first needed.
  std::shared_ptr<const GraphProgram> ready();
  void changed() { program.reset(); }
};

/// All graphs and executable graphs, so that a stale handle is an error and not a crash.
class Graphs {
 public:
  Graph* create();
  void destroy(Graph* graph);
  Graph* find(cudaGraph_t handle) const;
  GraphNode* find(cudaGraphNode_t handle) const;
  GraphExec* find(cudaGraphExec_t handle) const;
  void destroy(GraphExec* exec);

  /// Adds a node; invalid value when a dependency is not of this graph.
  cudaError_t add(Graph& graph, cudaGraphNodeType type, Work work,
                  const std::vector<GraphNode*>& dependencies, GraphNode** out);
  /// A node that allocates: the address is fixed now and belongs to the graph, so that every launch
  /// finds the same one. Nothing is added when memory is exhausted.
  cudaError_t add_allocation(Graph& graph, std::size_t bytes,
                             const std::vector<GraphNode*>& dependencies, GraphNode** out);
  /// A node that frees what a graph's node allocated. The graph keeps the memory for its next
  /// launch.
  cudaError_t add_free(Graph& graph, std::uint64_t address,
                       const std::vector<GraphNode*>& dependencies, GraphNode** out);
  /// A deep copy; child graphs included.
  Graph* clone(const Graph& graph);
  /// Invalid value for a cycle.
  cudaError_t instantiate(const Graph& graph, GraphExec** out);
  /// Replaces the steps by those of a graph of the same shape.
  cudaError_t update(GraphExec& exec, const Graph& graph, cudaGraphExecUpdateResultInfo& result);
  /// Of either kind, child graphs included.
  std::size_t living() const { return graphs_.size() + execs_.size(); }

 private:
  void release_contents(Graph& graph);

  std::map<const Graph*, std::unique_ptr<Graph>> graphs_;
  std::set<const GraphNode*> nodes_;
  std::map<const GraphExec*, std::unique_ptr<GraphExec>> execs_;
};

/// The node type that a unit of work becomes.
cudaGraphNodeType type_of(const Work& work);

inline cudaGraph_t handle_of(Graph* graph) { return reinterpret_cast<cudaGraph_t>(graph); }
inline cudaGraphNode_t handle_of(GraphNode* node) {
  return reinterpret_cast<cudaGraphNode_t>(node);
}
inline cudaGraphExec_t handle_of(GraphExec* exec) {
  return reinterpret_cast<cudaGraphExec_t>(exec);
}

}  // namespace klab::sim
