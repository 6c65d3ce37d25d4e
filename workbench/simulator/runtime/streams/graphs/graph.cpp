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

GraphExec::Step* GraphExec::find(const GraphNode* node) {
  const auto found =
      std::find_if(steps.begin(), steps.end(), [&](const Step& step) { return step.node == node; });
  return found == steps.end() ? nullptr : &*found;
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
    std::vector<std::size_t> place(steps.size());
    for (const std::size_t index : order) {
      const Step& step = steps[index];
      place[index] = made->steps.size();
      made->steps.push_back(step.enabled ? step.work : EmptyWork{});
      made->memory.insert(made->memory.end(), step.memory.begin(), step.memory.end());
      made->has_events |= has_events(made->steps.back());
      auto& after = made->after.emplace_back();
      for (const std::size_t dependency : step.dependencies) after.push_back(place[dependency]);
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
  };
  return std::visit(Visitor{}, work);
}

GraphMemory::~GraphMemory() {
  Runtime& runtime = Runtime::instance();
  if (runtime.allocations.remove(address)) runtime.device().memory().release(address);
}

Graph* Graphs::create() {
  auto graph = std::make_unique<Graph>();
  Graph* pointer = graph.get();
  graphs_[pointer] = std::move(graph);
  return pointer;
}

void Graphs::release_contents(Graph& graph) {
  for (const auto& node : graph.nodes) {
    nodes_.erase(node.get());
    if (node->child != nullptr) destroy(node->child);
  }
}

void Graphs::destroy(Graph* graph) {
  const auto found = graphs_.find(graph);
  if (found == graphs_.end()) return;
  release_contents(*graph);
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
  std::unordered_map<const GraphNode*, GraphNode*> twin;
  for (const auto& node : graph.nodes) {
    GraphNode* added = nullptr;
    add(*copy, node->type, node->work, {}, &added);
    added->memory = node->memory;
    added->freed_address = node->freed_address;
    if (node->child != nullptr) added->child = clone(*node->child);
    twin[node.get()] = added;
  }
  for (const auto& node : graph.nodes) {
    for (const GraphNode* dependency : node->dependencies) {
      twin[node.get()]->dependencies.push_back(twin.at(dependency));
    }
  }
  return copy;
}

namespace {

/// The steps of a graph in order of creation, and an order of execution; false for a cycle.
bool flatten(const Graph& graph, std::vector<GraphExec::Step>& steps,
             std::vector<std::size_t>& order) {
  std::unordered_map<const GraphNode*, std::size_t> index;
  for (const auto& node : graph.nodes) index.emplace(node.get(), index.size());
  std::vector<std::size_t> waiting(graph.nodes.size());
  std::vector<std::vector<std::size_t>> dependents(graph.nodes.size());
  for (const auto& node : graph.nodes) {
    GraphExec::Step step{node.get(), node->type, {}, node->work};
    if (node->memory) step.memory.push_back(node->memory);
    if (node->child != nullptr) {
      GraphExec inner;
      if (!flatten(*node->child, inner.steps, inner.order)) return false;
      step.work = GraphWork{inner.ready()};
      for (auto& held : inner.steps) {
        step.memory.insert(step.memory.end(), held.memory.begin(), held.memory.end());
      }
    }
    for (const GraphNode* dependency : node->dependencies) {
      step.dependencies.push_back(index.at(dependency));
      dependents[index.at(dependency)].push_back(steps.size());
    }
    waiting[steps.size()] = step.dependencies.size();
    steps.push_back(std::move(step));
  }
  // Always the ready node that was created first: the order a reader of the program expects.
  std::set<std::size_t> ready;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (waiting[i] == 0) ready.insert(i);
  }
  while (!ready.empty()) {
    const std::size_t next = *ready.begin();
    ready.erase(ready.begin());
    order.push_back(next);
    for (const std::size_t dependent : dependents[next]) {
      if (--waiting[dependent] == 0) ready.insert(dependent);
    }
  }
  return order.size() == steps.size();
}

}  // namespace

cudaError_t Graphs::instantiate(const Graph& graph, GraphExec** out) {
  auto exec = std::make_unique<GraphExec>();
  if (!flatten(graph, exec->steps, exec->order)) return cudaErrorInvalidValue;
  *out = exec.get();
  execs_[exec.get()] = std::move(exec);
  return cudaSuccess;
}

cudaError_t Graphs::update(GraphExec& exec, const Graph& graph,
                           cudaGraphExecUpdateResultInfo& result) {
  result = {};
  const auto refuse = [&](cudaGraphExecUpdateResult why, const GraphNode* node) {
    result.result = why;
    result.errorNode = handle_of(const_cast<GraphNode*>(node));
    return cudaErrorGraphExecUpdateFailure;
  };
  GraphExec wanted;
  if (!flatten(graph, wanted.steps, wanted.order)) {
    return refuse(cudaGraphExecUpdateErrorTopologyChanged, nullptr);
  }
  if (wanted.steps.size() != exec.steps.size()) {
    return refuse(cudaGraphExecUpdateErrorTopologyChanged, nullptr);
  }
  for (std::size_t i = 0; i < exec.steps.size(); ++i) {
    const auto& have = exec.steps[i];
    const auto& want = wanted.steps[i];
    if (have.dependencies != want.dependencies) {
      return refuse(cudaGraphExecUpdateErrorTopologyChanged, want.node);
    }
    if (have.type != want.type) return refuse(cudaGraphExecUpdateErrorNodeTypeChanged, want.node);
  }
  for (std::size_t i = 0; i < exec.steps.size(); ++i) {
    exec.steps[i].work = std::move(wanted.steps[i].work);
  }
  exec.changed();
  result.result = cudaGraphExecUpdateSuccess;
  return cudaSuccess;
}

}  // namespace klab::sim
