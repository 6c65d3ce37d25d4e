// Memory nodes of graphs.
#include "simulator/runtime/api/graphs/graph_call.hpp"

using namespace klab::sim;

namespace {

/// The live nodes of the handles; an unknown one becomes null, which adding refuses.
std::vector<GraphNode*> nodes_of(Runtime& runtime, const cudaGraphNode_t* handles,
                                 std::size_t count) {
  std::vector<GraphNode*> nodes;
  for (std::size_t i = 0; i < count; ++i) nodes.push_back(runtime.graphs.find(handles[i]));
  return nodes;
}

std::uint64_t graph_bytes(const Runtime& runtime) {
  std::uint64_t bytes = 0;
  for (const auto& [base, record] : runtime.allocations.live()) {
    if (record.owned_by_graph) bytes += record.bytes;
  }
  return bytes;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* out, cudaGraph_t handle,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* parameters) {
  return with_graph(handle, [&](Runtime& runtime, Graph& graph) {
    if (out == nullptr || parameters == nullptr || parameters->bytesize == 0) {
      return cudaErrorInvalidValue;
    }
    GraphNode* node = nullptr;
    const cudaError_t code = runtime.graphs.add_allocation(
        graph, parameters->bytesize, nodes_of(runtime, dependencies, count), &node);
    if (code != cudaSuccess) return code;
    parameters->dptr = reinterpret_cast<void*>(node->memory->address);
    *out = handle_of(node);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* out, cudaGraph_t handle,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    void* pointer) {
  return with_graph(handle, [&](Runtime& runtime, Graph& graph) {
    if (out == nullptr) return cudaErrorInvalidValue;
    GraphNode* node = nullptr;
    const cudaError_t code =
        runtime.graphs.add_free(graph, reinterpret_cast<std::uint64_t>(pointer),
                                nodes_of(runtime, dependencies, count), &node);
    if (code == cudaSuccess) *out = handle_of(node);
    return code;
  });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           cudaMemAllocNodeParams* parameters) {
  return with_node(node, cudaGraphNodeTypeMemAlloc, [&](Runtime&, GraphNode& found) {
    cudaMemAllocNodeParams made{};
    made.poolProps.allocType = cudaMemAllocationTypePinned;
    made.poolProps.location = {cudaMemLocationTypeDevice, 0};
    made.bytesize = found.memory->bytes;
    made.dptr = reinterpret_cast<void*>(found.memory->address);
    return give(parameters, made);
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return with_node(node, cudaGraphNodeTypeMemFree, [&](Runtime&, GraphNode& found) {
    return give(static_cast<void**>(pointer), reinterpret_cast<void*>(found.freed_address));
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return api_call([&](Runtime&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}

// Graphs hold exactly what their nodes allocate; high-water marks are not kept apart.
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType, void* value) {
  return api_call([&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (value == nullptr) return cudaErrorInvalidValue;
    *static_cast<std::uint64_t*>(value) = graph_bytes(runtime);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void*) {
  return api_call([&](Runtime&) {
    if (device != 0) return cudaErrorInvalidDevice;
    const bool resettable =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    return resettable ? cudaSuccess : cudaErrorInvalidValue;
  });
}

}  // extern "C"
