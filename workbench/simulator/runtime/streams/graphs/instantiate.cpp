// Graphs made ready to launch: their steps in an order that keeps to the edges.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "simulator/runtime/state/runtime.hpp"
#include "simulator/runtime/streams/graphs/graph.hpp"

namespace klab::sim {
namespace {

/// Whether the toolkit allows such nodes in the bodies of conditional ones.
bool may_be_conditional(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeConditional:
      return true;
    default:
      return false;
  }
}

bool is_conditional(const Graph& graph) {
  return graph.owner != nullptr &&
         (graph.owner->type == cudaGraphNodeTypeConditional || is_conditional(*graph.owner->graph));
}

cudaError_t flatten(const Graph& graph, GraphExec& exec);

/// The graphs that a node holds, and what is theirs of the outermost one.
cudaError_t flatten_inner(const GraphNode& node, GraphExec::Step& step, GraphExec& outer) {
  for (const Graph* graph : node.inner) {
    auto inner = std::make_shared<GraphExec>();
    if (const cudaError_t code = flatten(*graph, *inner); code != cudaSuccess) return code;
    // A launch of the outermost graph is what begins all.
    auto& values = outer.conditions.values;
    const auto& more = std::exchange(inner->conditions.values, {});
    values.insert(values.end(), more.begin(), more.end());
    outer.objects.insert(outer.objects.end(), inner->objects.begin(), inner->objects.end());
    step.inner.push_back(std::move(inner));
  }
  return cudaSuccess;
}

/// What the toolkit's programming guide asks of the nodes in the bodies of conditional ones.
cudaError_t check_conditional(const GraphNode& node) {
  if (!may_be_conditional(node.type)) {
    Runtime::instance().say(
        "The body of a graph's conditional node may hold kernels, copies, memsets, empty nodes, "
        "child graphs and conditional nodes, and no others.");
    return cudaErrorNotSupported;
  }
  const auto* copy = std::get_if<CopyWork>(&node.work);
  const auto is_pageable = [](const void* pointer) {
    const Place place = place_of(pointer);
    return place.side == Side::host && !place.pinned && !place.managed;
  };
  if (copy == nullptr || (!is_pageable(copy->source) && !is_pageable(copy->destination)))
    return cudaSuccess;
  Runtime::instance().say(
      "A copy in the body of a graph's conditional node has pageable host memory at one end; only "
      "device memory and pinned memory may be copied there. Take the host's from cudaMallocHost.");
  return cudaErrorNotSupported;
}

/// A kernel begins early where an edge lets it.
void take_edges(const GraphNode& node, Work& work) {
  auto* kernel = std::get_if<KernelWork>(&work);
  if (kernel == nullptr) return;
  for (const auto& [dependency, data] : node.edge_data)
    kernel->early |= data.type == cudaGraphDependencyTypeProgrammatic;
}

/// What memory a launch takes that stays, and what it gives back.
void note_memory(const Graph& graph, GraphExec& exec) {
  for (const auto& node : graph.nodes)
    if (node->type == cudaGraphNodeTypeMemFree) exec.freed.push_back(node->freed_address);
  for (const auto& node : graph.nodes)
    if (node->memory &&
        std::find(exec.freed.begin(), exec.freed.end(), node->memory->address) == exec.freed.end())
      exec.left.push_back(node->memory->address);
}

/// The steps of a graph in order of creation, and an order of execution.
cudaError_t flatten(const Graph& graph, GraphExec& exec) {
  std::vector<GraphExec::Step>& steps = exec.steps;
  std::vector<std::size_t>& order = exec.order;
  for (const GraphCondition& condition : graph.conditions)
    if (condition.at_launch)
      exec.conditions.values.emplace_back(condition.handle, *condition.at_launch);
  for (const auto& [object, count] : graph.objects) exec.objects.push_back(object);
  note_memory(graph, exec);
  std::unordered_map<const GraphNode*, std::size_t> index;
  for (const auto& node : graph.nodes) index.emplace(node.get(), index.size());
  std::vector<std::size_t> waiting(graph.nodes.size());
  std::vector<std::vector<std::size_t>> dependents(graph.nodes.size());
  for (const auto& node : graph.nodes) {
    GraphExec::Step step{node.get(), node->id, node->type, {}, node->work, node->memory};
    take_edges(*node, step.work);
    if (is_conditional(graph))
      if (const cudaError_t code = check_conditional(*node); code != cudaSuccess) return code;
    if (const cudaError_t code = flatten_inner(*node, step, exec); code != cudaSuccess) return code;
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
  return order.size() == steps.size() ? cudaSuccess : cudaErrorInvalidValue;
}

/// What keeps an executable graph from taking over the work of another, and at which node.
struct Mismatch {
  cudaGraphExecUpdateResult why = cudaGraphExecUpdateSuccess;
  const GraphNode* node = nullptr;
};

/// A conditional node stays what it is.
bool same_kind(const Work& have, const Work& want) {
  const auto* one = std::get_if<ConditionalWork>(&have);
  const auto* other = std::get_if<ConditionalWork>(&want);
  return one == nullptr || other == nullptr || one->type == other->type;
}

Mismatch compare(const GraphExec& have, const GraphExec& want);

Mismatch compare(const GraphExec::Step& have, const GraphExec::Step& want) {
  if (have.dependencies != want.dependencies)
    return {cudaGraphExecUpdateErrorTopologyChanged, want.node};
  if (have.type != want.type) return {cudaGraphExecUpdateErrorNodeTypeChanged, want.node};
  if (!same_kind(have.work, want.work) || have.inner.size() != want.inner.size())
    return {cudaGraphExecUpdateErrorParametersChanged, want.node};
  for (std::size_t i = 0; i < have.inner.size(); ++i)
    if (const Mismatch found = compare(*have.inner[i], *want.inner[i]);
        found.why != cudaGraphExecUpdateSuccess)
      return found;
  return {};
}

Mismatch compare(const GraphExec& have, const GraphExec& want) {
  if (have.steps.size() != want.steps.size())
    return {cudaGraphExecUpdateErrorTopologyChanged, nullptr};
  for (std::size_t i = 0; i < have.steps.size(); ++i)
    if (const Mismatch found = compare(have.steps[i], want.steps[i]);
        found.why != cudaGraphExecUpdateSuccess)
      return found;
  return {};
}

/// Nodes keep their identity; what they do is taken from a graph of the same shape.
void take_over(GraphExec& exec, GraphExec& from) {
  for (std::size_t i = 0; i < exec.steps.size(); ++i) {
    exec.steps[i].work = std::move(from.steps[i].work);
    for (std::size_t k = 0; k < exec.steps[i].inner.size(); ++k)
      take_over(*exec.steps[i].inner[k], *from.steps[i].inner[k]);
  }
}

bool has_unused_condition(const Graph& graph) {
  return std::any_of(graph.conditions.begin(), graph.conditions.end(),
                     [](const GraphCondition& condition) { return !condition.taken; }) ||
         std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
           return std::any_of(node->inner.begin(), node->inner.end(),
                              [](const Graph* inner) { return has_unused_condition(*inner); });
         });
}

}  // namespace

cudaError_t Graphs::instantiate(const Graph& graph, GraphExec** out,
                                cudaGraphInstantiateResult& result) {
  Runtime& runtime = Runtime::instance();
  if (has_unused_condition(graph)) {
    runtime.say(
        "A handle of the graph (cudaGraphConditionalHandleCreate) has no conditional node. Add the "
        "node before the graph is instantiated.");
    result = cudaGraphInstantiateConditionalHandleUnused;
    return cudaErrorInvalidValue;
  }
  const auto is_of_it = [&](const auto& entry) { return entry.second->made_of == graph.id; };
  if (has_conditional_nodes(graph) && std::any_of(execs_.begin(), execs_.end(), is_of_it)) {
    runtime.say(
        "A graph with conditional nodes may be instantiated once at a time. Destroy its executable "
        "graph first (cudaGraphExecDestroy), or update it (cudaGraphExecUpdate).");
    result = cudaGraphInstantiateError;
    return cudaErrorNotSupported;
  }
  auto exec = std::make_unique<GraphExec>();
  if (const cudaError_t code = flatten(graph, *exec); code != cudaSuccess) {
    result = cudaGraphInstantiateInvalidStructure;
    return code;
  }
  result = cudaGraphInstantiateSuccess;
  exec->made_of = graph.id;
  *out = exec.get();
  execs_[exec.get()] = std::move(exec);
  return cudaSuccess;
}

cudaError_t Graphs::update(GraphExec& exec, const Graph& graph,
                           cudaGraphExecUpdateResultInfo& result) {
  result = {};
  GraphExec wanted;
  const bool flat = flatten(graph, wanted) == cudaSuccess;
  const Mismatch found =
      flat ? compare(exec, wanted) : Mismatch{cudaGraphExecUpdateErrorTopologyChanged, nullptr};
  result.result = found.why;
  result.errorNode = handle_of(const_cast<GraphNode*>(found.node));
  if (found.why != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
  take_over(exec, wanted);
  exec.conditions = std::move(wanted.conditions);
  exec.objects = std::move(wanted.objects);
  exec.changed();
  return cudaSuccess;
}

cudaError_t Graphs::replace_inner(GraphExec::Step& step, const Graph& graph) {
  GraphExec wanted;
  if (const cudaError_t code = flatten(graph, wanted); code != cudaSuccess) return code;
  // One of a captured launch of an executable graph has no nodes to be found by.
  if (step.inner.empty()) {
    step.work = GraphWork{wanted.ready()};
    return cudaSuccess;
  }
  if (compare(*step.inner.front(), wanted).why != cudaGraphExecUpdateSuccess)
    return cudaErrorInvalidValue;
  take_over(*step.inner.front(), wanted);
  return cudaSuccess;
}

}  // namespace klab::sim
