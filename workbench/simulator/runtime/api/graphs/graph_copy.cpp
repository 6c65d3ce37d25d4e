// Copy nodes: boxes, bytes in a row, and from or to a variable of the device.
#include "simulator/runtime/api/graphs/graph_call.hpp"
#include "simulator/runtime/streams/arguments.hpp"

using namespace klab::sim;

namespace {

cudaError_t to_symbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                      cudaMemcpyKind kind, Work& work) {
  void* to = nullptr;
  const cudaError_t code = symbol_range(symbol, bytes, offset, to);
  return code != cudaSuccess ? code : linear_copy_work(to, from, bytes, kind, work);
}

cudaError_t from_symbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                        cudaMemcpyKind kind, Work& work) {
  void* from = nullptr;
  const cudaError_t code = symbol_range(symbol, bytes, offset, from);
  return code != cudaSuccess ? code : linear_copy_work(to, from, bytes, kind, work);
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return add_node(out, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  return add_node(
      out, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
      [&](Runtime&, Work& work) { return linear_copy_work(to, from, bytes, kind, work); });
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* out, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return add_node(
      out, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
      [&](Runtime&, Work& work) { return to_symbol(symbol, from, bytes, offset, kind, work); });
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* out, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             void* to, const void* symbol, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind) {
  return add_node(
      out, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
      [&](Runtime&, Work& work) { return from_symbol(to, symbol, bytes, offset, kind, work); });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return get_parameters(node, cudaGraphNodeTypeMemcpy, parameters, copy_parameters);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms* parameters) {
  return set_node(node, parameters);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return set_step(exec, node, parameters);
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* from, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind) {
  return with_work(node, cudaGraphNodeTypeMemcpy,
                   [&](Work& work) { return to_symbol(symbol, from, bytes, offset, kind, work); });
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                   const void* symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  return with_work(node, cudaGraphNodeTypeMemcpy,
                   [&](Work& work) { return from_symbol(to, symbol, bytes, offset, kind, work); });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind) {
  return with_work(node, cudaGraphNodeTypeMemcpy,
                   [&](Work& work) { return linear_copy_work(to, from, bytes, kind, work); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from,
                                                     size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return with_work(exec, node, cudaGraphNodeTypeMemcpy,
                   [&](Work& work) { return to_symbol(symbol, from, bytes, offset, kind, work); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void* to, const void* symbol, size_t bytes,
                                                       size_t offset, cudaMemcpyKind kind) {
  return with_work(exec, node, cudaGraphNodeTypeMemcpy,
                   [&](Work& work) { return from_symbol(to, symbol, bytes, offset, kind, work); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
  return with_work(exec, node, cudaGraphNodeTypeMemcpy,
                   [&](Work& work) { return linear_copy_work(to, from, bytes, kind, work); });
}

}  // extern "C"
