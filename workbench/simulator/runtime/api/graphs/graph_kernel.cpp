// Kernel nodes: adding them, their parameters and attributes.
#include "simulator/runtime/api/graphs/graph_call.hpp"
#include "simulator/runtime/streams/arguments.hpp"

using namespace klab::sim;

namespace {

/// What was set, or what the launch itself says.
cudaLaunchAttributeValue attribute_of(const GraphNode& node, cudaLaunchAttributeID id) {
  if (const auto set = node.attributes.find(id); set != node.attributes.end()) return set->second;
  const auto& work = std::get<KernelWork>(node.work);
  cudaLaunchAttributeValue value{};
  if (id == cudaLaunchAttributeCooperative) value.cooperative = work.cooperative ? 1 : 0;
  if (id == cudaLaunchAttributeClusterDimension) {
    value.clusterDim.x = work.cluster.x;
    value.clusterDim.y = work.cluster.y;
    value.clusterDim.z = work.cluster.z;
  }
  if (id == cudaLaunchAttributeProgrammaticStreamSerialization)
    value.programmaticStreamSerializationAllowed = work.early ? 1 : 0;
  return value;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return add_node(out, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle, cudaKernelNodeParams* parameters) {
  return with_node(handle, cudaGraphNodeTypeKernel, [&](Runtime&, GraphNode& node) {
    return give(parameters, kernel_parameters(node));
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t handle,
                                         const cudaKernelNodeParams* parameters) {
  return set_node(handle, parameters);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return set_step(exec, node, parameters);
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID id,
                                            cudaLaunchAttributeValue* value) {
  return with_node(handle, cudaGraphNodeTypeKernel,
                   [&](Runtime&, GraphNode& node) { return give(value, attribute_of(node, id)); });
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID id,
                                            const cudaLaunchAttributeValue* value) {
  return with_node(handle, cudaGraphNodeTypeKernel, [&](Runtime&, GraphNode& node) {
    if (value == nullptr) return cudaErrorInvalidValue;
    KernelWork changed = std::get<KernelWork>(node.work);
    cudaError_t code = apply_launch_attribute(changed, id, *value);
    if (code == cudaSuccess) code = check_launch(changed);
    if (code != cudaSuccess) return code;
    node.work = std::move(changed);
    node.attributes[id] = *value;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return with_node(to, cudaGraphNodeTypeKernel, [&](Runtime& runtime, GraphNode& node) {
    const GraphNode* source = runtime.graphs.find(from);
    if (source == nullptr || source->type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
    const auto& like = std::get<KernelWork>(source->work);
    auto& work = std::get<KernelWork>(node.work);
    work.cluster = like.cluster;
    work.cooperative = like.cooperative;
    work.early = like.early;
    node.attributes = source->attributes;
    return cudaSuccess;
  });
}

}  // extern "C"
