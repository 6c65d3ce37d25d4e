// Building, copying and flattening graphs.
#include "simulator/runtime/streams/graphs/graph.hpp"

#include <algorithm>
#include <unordered_map>

#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {

GraphNode* Graph::find(const GraphNode* node) const {
  for (const auto& entry : nodes) {
    if (entry.get() == node) return entry.get();
  }
  return nullptr;
}

bool has_conditional_nodes(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
    return node->type == cudaGraphNodeTypeConditional ||
           std::any_of(node->inner.begin(), node->inner.end(),
                       [](const Graph* inner) { return has_conditional_nodes(*inner); });
  });
}

bool has_memory_nodes(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
    return node->type == cudaGraphNodeTypeMemAlloc || node->type == cudaGraphNodeTypeMemFree ||
           std::any_of(node->inner.begin(), node->inner.end(),
                       [](const Graph* inner) { return has_memory_nodes(*inner); });
  });
}

cudaGraphEdgeData GraphNode::edge_from(const GraphNode* dependency) const {
  const auto found = edge_data.find(dependency);
  return found == edge_data.end() ? cudaGraphEdgeData{} : found->second;
}

void GraphNode::set_edge(const GraphNode* dependency, const cudaGraphEdgeData& data) {
  if (is_plain(data))
    edge_data.erase(dependency);
  else
    edge_data[dependency] = data;
}

bool is_plain(const cudaGraphEdgeData& data) {
  return data.from_port == 0 && data.to_port == 0 && data.type == cudaGraphDependencyTypeDefault;
}

bool may_join(cudaGraphNodeType from, cudaGraphNodeType to, const cudaGraphEdgeData& data) {
  if (is_plain(data)) return true;
  if (data.to_port != 0 || from != cudaGraphNodeTypeKernel) return false;
  if (data.type == cudaGraphDependencyTypeDefault)
    return data.from_port == cudaGraphKernelNodePortLaunchCompletion;
  return data.type == cudaGraphDependencyTypeProgrammatic && to == cudaGraphNodeTypeKernel &&
         (data.from_port == cudaGraphKernelNodePortProgrammatic ||
          data.from_port == cudaGraphKernelNodePortLaunchCompletion);
}

GraphExec::Step* GraphExec::find(const GraphNode* node) {
  for (Step& step : steps) {
    if (step.id == node->id) return &step;
    for (const auto& exec : step.inner)
      if (Step* found = exec->find(node)) return found;
  }
  return nullptr;
}

void GraphExec::changed() {
  program.reset();
  for (const Step& step : steps)
    for (const auto& exec : step.inner) exec->changed();
}

Work GraphExec::Step::whole() const {
  if (!enabled) return EmptyWork{};
  Work made = work;
  std::vector<std::shared_ptr<const GraphProgram>> programs;
  for (const auto& exec : inner) programs.push_back(exec->ready());
  if (auto* conditional = std::get_if<ConditionalWork>(&made))
    conditional->bodies = std::move(programs);
  else if (!programs.empty())
    made = GraphWork{programs.front()};
  return made;
}

namespace {

bool has_events(const Work& work) {
  if (const auto* inner = std::get_if<GraphWork>(&work)) return inner->program->has_events;
  return std::holds_alternative<EventWork>(work) || std::holds_alternative<WaitWork>(work);
}

/// Whether the last step may run beside the one in front of it, or holds such steps.
bool may_run_beside(const GraphProgram& program) {
  const auto* inner = std::get_if<GraphWork>(&program.steps.back());
  if (inner != nullptr && inner->program->has_branches) return true;
  const std::size_t last = program.steps.size() - 1;
  return last > 0 && program.after.back() != std::vector<std::size_t>{last - 1};
}

}  // namespace

std::shared_ptr<const GraphProgram> GraphExec::ready() {
  if (!program) {
    auto made = std::make_shared<GraphProgram>();
    made->memory.assign(objects.begin(), objects.end());
    if (!conditions.values.empty()) {
      made->steps.push_back(conditions);
      made->after.emplace_back();
    }
    std::vector<std::size_t> place(steps.size());
    for (const std::size_t index : order) {
      const Step& step = steps[index];
      place[index] = made->steps.size();
      made->steps.push_back(step.whole());
      if (step.memory) made->memory.push_back(step.memory);
      made->has_events |= has_events(made->steps.back());
      auto& after = made->after.emplace_back();
      for (const std::size_t dependency : step.dependencies) after.push_back(place[dependency]);
      if (after.empty() && !conditions.values.empty()) after.push_back(0);
      made->has_branches |= may_run_beside(*made);
    }
    program = std::move(made);
  }
  return program;
}

cudaGraphNodeType type_of(const Work& work) {
  struct Visitor {
    cudaGraphNodeType operator()(const EmptyWork&) const { return cudaGraphNodeTypeEmpty; }
    cudaGraphNodeType operator()(const KernelWork&) const { return cudaGraphNodeTypeKernel; }
    cudaGraphNodeType operator()(const CopyWork&) const { return cudaGraphNodeTypeMemcpy; }
    cudaGraphNodeType operator()(const MemsetWork&) const { return cudaGraphNodeTypeMemset; }
    cudaGraphNodeType operator()(const HostWork&) const { return cudaGraphNodeTypeHost; }
    cudaGraphNodeType operator()(const EventWork&) const { return cudaGraphNodeTypeEventRecord; }
    cudaGraphNodeType operator()(const WaitWork&) const { return cudaGraphNodeTypeWaitEvent; }
    cudaGraphNodeType operator()(const AllocateWork&) const { return cudaGraphNodeTypeMemAlloc; }
    cudaGraphNodeType operator()(const FreeWork&) const { return cudaGraphNodeTypeMemFree; }
    cudaGraphNodeType operator()(const GraphWork&) const { return cudaGraphNodeTypeGraph; }
    cudaGraphNodeType operator()(const AssignWork&) const { return cudaGraphNodeTypeEmpty; }
    cudaGraphNodeType operator()(const ConditionalWork&) const {
      return cudaGraphNodeTypeConditional;
    }
  };
  return std::visit(Visitor{}, work);
}

GraphMemory::~GraphMemory() {
  Runtime& runtime = Runtime::instance();
  if (runtime.allocations.remove(address)) runtime.device().memory().release(address);
}

Graph* Graphs::create() {
  auto graph = std::make_unique<Graph>();
  graph->id = next_id_++;
  Graph* pointer = graph.get();
  graphs_[pointer] = std::move(graph);
  return pointer;
}

void Graphs::release(GraphNode& node) {
  nodes_.erase(&node);
  for (Graph* inner : node.inner) destroy(inner);
}

void Graphs::remove(GraphNode* node) {
  Graph& graph = *node->graph;
  release(*node);
  for (const auto& other : graph.nodes) {
    std::erase(other->dependencies, node);
    other->edge_data.erase(node);
  }
  std::erase_if(graph.nodes, [&](const auto& entry) { return entry.get() == node; });
}

Graph* Graphs::create_inner(GraphNode& node, const Graph* like) {
  Graph* inner = like != nullptr ? clone(*like) : create();
  inner->owner = &node;
  node.inner.push_back(inner);
  return inner;
}

void Graphs::destroy(Graph* graph) {
  const auto found = graphs_.find(graph);
  if (found == graphs_.end()) return;
  for (const auto& node : graph->nodes) release(*node);
  graphs_.erase(graph);
}

Graph* Graphs::find(cudaGraph_t handle) const {
  const auto found = graphs_.find(reinterpret_cast<const Graph*>(handle));
  return found == graphs_.end() ? nullptr : found->second.get();
}

GraphNode* Graphs::find(cudaGraphNode_t handle) const {
  auto* node = reinterpret_cast<GraphNode*>(handle);
  return nodes_.contains(node) ? node : nullptr;
}

GraphExec* Graphs::find(cudaGraphExec_t handle) const {
  const auto found = execs_.find(reinterpret_cast<const GraphExec*>(handle));
  return found == execs_.end() ? nullptr : found->second.get();
}

void Graphs::destroy(GraphExec* exec) { execs_.erase(exec); }

cudaError_t Graphs::add(Graph& graph, cudaGraphNodeType type, Work work,
                        const std::vector<GraphNode*>& dependencies, GraphNode** out) {
  auto node = std::make_unique<GraphNode>();
  for (GraphNode* dependency : dependencies) {
    if (dependency == nullptr || dependency->graph != &graph) return cudaErrorInvalidValue;
    auto& list = node->dependencies;
    if (std::find(list.begin(), list.end(), dependency) == list.end()) list.push_back(dependency);
  }
  node->graph = &graph;
  node->id = next_id_++;
  node->type = type;
  node->work = std::move(work);
  nodes_.insert(node.get());
  if (out != nullptr) *out = node.get();
  graph.nodes.push_back(std::move(node));
  return cudaSuccess;
}

cudaError_t Graphs::add_allocation(Graph& graph, std::size_t bytes,
                                   const std::vector<GraphNode*>& dependencies, GraphNode** out) {
  Runtime& runtime = Runtime::instance();
  const auto base = runtime.allocate(bytes, MemoryKind::device);
  if (!base) return cudaErrorMemoryAllocation;
  const cudaError_t code = add(graph, cudaGraphNodeTypeMemAlloc, EmptyWork{}, dependencies, out);
  if (code != cudaSuccess) {
    runtime.device().memory().release(*base);
    return code;
  }
  (*out)->memory = std::make_shared<GraphMemory>(*base, bytes);
  runtime.allocations.add(*base,
                          {.bytes = bytes, .kind = MemoryKind::device, .owned_by_graph = true});
  return cudaSuccess;
}

cudaError_t Graphs::add_free(Graph& graph, std::uint64_t address,
                             const std::vector<GraphNode*>& dependencies, GraphNode** out) {
  if (Runtime::instance().allocations.at(address) == nullptr) return cudaErrorInvalidValue;
  const cudaError_t code = add(graph, cudaGraphNodeTypeMemFree, EmptyWork{}, dependencies, out);
  if (code == cudaSuccess) (*out)->freed_address = address;
  return code;
}

Graph* Graphs::clone(const Graph& graph) {
  Graph* copy = create();
  copy->conditions = graph.conditions;
  copy->objects = graph.objects;
  std::unordered_map<const GraphNode*, GraphNode*> twin;
  for (const auto& node : graph.nodes) {
    GraphNode* added = nullptr;
    add(*copy, node->type, node->work, {}, &added);
    added->memory = node->memory;
    added->freed_address = node->freed_address;
    added->attributes = node->attributes;
    added->copy_of = node->id;
    for (const Graph* inner : node->inner) create_inner(*added, inner);
    twin[node.get()] = added;
  }
  for (const auto& node : graph.nodes) {
    for (const GraphNode* dependency : node->dependencies) {
      twin[node.get()]->dependencies.push_back(twin.at(dependency));
      twin[node.get()]->set_edge(twin.at(dependency), node->edge_from(dependency));
    }
  }
  return copy;
}

}  // namespace klab::sim
