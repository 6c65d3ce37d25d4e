// Graphs of work: nodes with dependencies, and their executable form.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "simulator/runtime/streams/graphs/user_objects.hpp"
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
  std::uint64_t id = 0;
  std::uint64_t copy_of = 0;  ///< of a cloned graph's node: that one's id
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  Work work;                             ///< without the graphs of `inner`
  std::vector<GraphNode*> dependencies;  ///< nodes of the same graph, no duplicates
  std::map<const GraphNode*, cudaGraphEdgeData> edge_data;  ///< of those that are not plain
  /// The graph of a child graph node, the bodies of a conditional one. They live with the node.
  std::vector<Graph*> inner;
  std::shared_ptr<GraphMemory> memory;   ///< of an allocation node
  std::uint64_t freed_address = 0;       ///< of a free node
  std::vector<void*> argument_pointers;  ///< what cudaGraphKernelNodeGetParams hands out
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes;  ///< set on a kernel node

  /// The data of the edge from a dependency.
  cudaGraphEdgeData edge_from(const GraphNode* dependency) const;
  void set_edge(const GraphNode* dependency, const cudaGraphEdgeData& data);
};

bool is_plain(const cudaGraphEdgeData& data);
/// The edge by which a kernel may begin before the one in front of it has ended.
inline constexpr cudaGraphEdgeData programmatic_edge{
    .from_port = cudaGraphKernelNodePortProgrammatic, .type = cudaGraphDependencyTypeProgrammatic};
/// Whether an edge between nodes of these types may have such data (driver_types.h, at
/// cudaGraphEdgeData).
bool may_join(cudaGraphNodeType from, cudaGraphNodeType to, const cudaGraphEdgeData& data);

/// A handle that a conditional node of the graph goes by.
struct GraphCondition {
  std::uint64_t handle = 0;
  std::optional<std::uint32_t> at_launch;  ///< what each launch begins with; absent: what there is
  bool taken = false;                      ///< a node has it
};

struct Graph {
  std::uint64_t id = 0;                           ///< counts up, as those of nodes
  std::vector<std::unique_ptr<GraphNode>> nodes;  ///< in order of creation
  const GraphNode* owner = nullptr;               ///< whose inner graph it is
  std::vector<GraphCondition> conditions;
  std::map<UserObjectPointer, std::uint64_t> objects;  ///< references held

  GraphNode* find(const GraphNode* node) const;
};

/// Such a graph can neither be cloned nor be a child graph (driver_types.h, at
/// cudaGraphNodeTypeConditional).
bool has_conditional_nodes(const Graph& graph);
/// Such a graph can't be cloned either (cuda_runtime_api.h, at cudaGraphClone).
bool has_memory_nodes(const Graph& graph);

/// A graph made ready to launch. Nodes keep their identity, so that they can be updated by handle.
struct GraphExec {
  struct Step {
    const GraphNode* node = nullptr;
    std::uint64_t id = 0;  ///< the node's: another one may come to lie where it was
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    std::vector<std::size_t> dependencies;               ///< indices of nodes in order of creation
    Work work;                                           ///< without the programs of `inner`
    std::shared_ptr<GraphMemory> memory;                 ///< kept alive
    std::vector<std::shared_ptr<GraphExec>> inner = {};  ///< as of the node
    bool enabled = true;

    /// The work with the programs of the inner graphs.
    Work whole() const;
  };
  std::vector<Step> steps;                 ///< in order of creation
  std::vector<std::size_t> order;          ///< an order of execution
  AssignWork conditions;                   ///< before all steps
  std::vector<UserObjectPointer> objects;  ///< kept alive
  std::vector<std::uint64_t> left;         ///< addresses that it allocates and does not free
  std::vector<std::uint64_t> freed;        ///< addresses that it frees
  unsigned long long flags = 0;
  std::uint64_t made_of = 0;                    ///< the graph's: it may be gone
  std::shared_ptr<const GraphProgram> program;  ///< rebuilt after an update

  /// The step of a node, in inner graphs too.
  Step* find(const GraphNode* node);
  /// The program of enabled steps, made when first needed.
  std::shared_ptr<const GraphProgram> ready();
  void changed();
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
  /// Takes the node out of its graph, with its edges and inner graphs.
  void remove(GraphNode* node);
  /// A new inner graph of the node; or a copy of one.
  Graph* create_inner(GraphNode& node, const Graph* like = nullptr);

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
  /// Invalid value for a cycle or a condition without a node; not supported where a conditional
  /// node's body holds what none may, or a graph with such nodes has been instantiated already.
  cudaError_t instantiate(const Graph& graph, GraphExec** out, cudaGraphInstantiateResult& result);
  /// Replaces the steps by those of a graph of the same shape.
  cudaError_t update(GraphExec& exec, const Graph& graph, cudaGraphExecUpdateResultInfo& result);
  /// Gives the step of a child graph another graph of the same shape.
  cudaError_t replace_inner(GraphExec::Step& step, const Graph& graph);
  /// Of either kind, child graphs included.
  std::size_t living() const { return graphs_.size() + execs_.size(); }

 private:
  void release(GraphNode& node);

  std::uint64_t next_id_ = 1;
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
