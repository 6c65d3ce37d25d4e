// The node functions that take any type: they unpack the parameters as the specific ones take them.
#include <fmt/format.h>

#include "simulator/runtime/api/graphs/graph_call.hpp"
#include "simulator/runtime/api/graphs/graph_conditional.hpp"

using namespace klab::sim;

namespace {

/// Acts with the parameters of a node that is a unit of work described by them; false for others.
template <class Act>
bool with_own_parameters(const cudaGraphNodeParams& p, Act&& act) {
  switch (p.type) {
    case cudaGraphNodeTypeKernel:
      act(cudaKernelNodeParams{p.kernel.func, p.kernel.gridDim, p.kernel.blockDim,
                               p.kernel.sharedMemBytes, p.kernel.kernelParams, p.kernel.extra});
      return true;
    case cudaGraphNodeTypeMemcpy:
      act(p.memcpy.copyParams);
      return true;
    case cudaGraphNodeTypeMemset:
      act(cudaMemsetParams{p.memset.dst, p.memset.pitch, p.memset.value, p.memset.elementSize,
                           p.memset.width, p.memset.height});
      return true;
    case cudaGraphNodeTypeHost:
      act(cudaHostNodeParams{p.host.fn, p.host.userData});
      return true;
    default:
      return false;
  }
}

cudaError_t add_allocation(cudaGraphNode_t* out, cudaGraph_t graph,
                           const cudaGraphNode_t* dependencies, std::size_t count,
                           cudaMemAllocNodeParamsV2& parameters) {
  cudaMemAllocNodeParams own{};
  own.poolProps = parameters.poolProps;
  own.bytesize = parameters.bytesize;
  const cudaError_t code = cudaGraphAddMemAllocNode(out, graph, dependencies, count, &own);
  parameters.dptr = own.dptr;
  return code;
}

cudaError_t refuse_type(cudaGraphNodeType type, const char* name = __builtin_FUNCTION()) {
  return api_call(
      [=](Runtime& runtime) {
        runtime.lack(name,
                     fmt::format("{} is not part of the simulated runtime for nodes of type {} "
                                 "(cudaGraphNodeType); it answers cudaErrorNotSupported. Leave "
                                 "such nodes out, or run the program on a GPU.",
                                 name, static_cast<int>(type)));
        return cudaErrorNotSupported;
      },
      name);
}

/// A node of the type that the parameters are of, behind plain edges.
cudaError_t add_any_node(cudaGraphNode_t* out, cudaGraph_t graph,
                         const cudaGraphNode_t* dependencies, std::size_t count,
                         cudaGraphNodeParams* p) {
  constexpr const char* name = "cudaGraphAddNode";
  const CalledAs outer(name);
  cudaError_t code = cudaSuccess;
  if (with_own_parameters(*p, [&](const auto& own) {
        code = add_node(out, graph, dependencies, count, &own, name);
      }))
    return code;
  switch (p->type) {
    case cudaGraphNodeTypeGraph:
      return cudaGraphAddChildGraphNode(out, graph, dependencies, count, p->graph.graph);
    case cudaGraphNodeTypeEmpty:
      return cudaGraphAddEmptyNode(out, graph, dependencies, count);
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphAddEventRecordNode(out, graph, dependencies, count, p->eventRecord.event);
    case cudaGraphNodeTypeWaitEvent:
      return cudaGraphAddEventWaitNode(out, graph, dependencies, count, p->eventWait.event);
    case cudaGraphNodeTypeMemAlloc:
      return add_allocation(out, graph, dependencies, count, p->alloc);
    case cudaGraphNodeTypeMemFree:
      return cudaGraphAddMemFreeNode(out, graph, dependencies, count, p->free.dptr);
    case cudaGraphNodeTypeConditional:
      return add_conditional_node(out, graph, dependencies, count, p->conditional, name);
    default:
      return refuse_type(p->type, name);
  }
}

/// Whether edges from these nodes to one of the type may have such data.
bool may_join_all(Runtime& runtime, const cudaGraphNode_t* from, const cudaGraphEdgeData* data,
                  std::size_t count, cudaGraphNodeType to) {
  const std::scoped_lock lock(runtime.mutex);
  for (std::size_t i = 0; i < count; ++i) {
    const GraphNode* node = runtime.graphs.find(from[i]);
    if (node == nullptr || !may_join(node->type, to, data[i])) return false;
  }
  return true;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                             size_t count, cudaGraphNodeParams* p) {
  if (p == nullptr || (edges != nullptr && dependencies == nullptr && count != 0))
    return Errors::record(cudaErrorInvalidValue);
  if (edges == nullptr) return add_any_node(out, graph, dependencies, count, p);
  if (!may_join_all(Runtime::instance(), dependencies, edges, count, p->type))
    return Errors::record(cudaErrorInvalidValue);
  const cudaError_t code = add_any_node(out, graph, dependencies, count, p);
  if (code != cudaSuccess) return code;
  return with_node(*out, p->type, [&](Runtime& found, GraphNode& node) {
    for (std::size_t i = 0; i < count; ++i)
      node.set_edge(found.graphs.find(dependencies[i]), edges[i]);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* p) {
  if (p == nullptr) return Errors::record(cudaErrorInvalidValue);
  const CalledAs outer;
  cudaError_t code = cudaSuccess;
  if (with_own_parameters(*p, [&](const auto& own) { code = set_node(node, &own); })) return code;
  switch (p->type) {
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphEventRecordNodeSetEvent(node, p->eventRecord.event);
    case cudaGraphNodeTypeWaitEvent:
      return cudaGraphEventWaitNodeSetEvent(node, p->eventWait.event);
    default:
      return refuse_type(p->type);
  }
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* p) {
  if (p == nullptr) return Errors::record(cudaErrorInvalidValue);
  const CalledAs outer;
  cudaError_t code = cudaSuccess;
  if (with_own_parameters(*p, [&](const auto& own) { code = set_step(exec, node, &own); }))
    return code;
  switch (p->type) {
    case cudaGraphNodeTypeGraph:
      return cudaGraphExecChildGraphNodeSetParams(exec, node, p->graph.graph);
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphExecEventRecordNodeSetEvent(exec, node, p->eventRecord.event);
    case cudaGraphNodeTypeWaitEvent:
      return cudaGraphExecEventWaitNodeSetEvent(exec, node, p->eventWait.event);
    default:
      return refuse_type(p->type);
  }
}

}  // extern "C"
