// Translating the toolkit's node parameters into work; shared by graphs and executable graphs.
#pragma once

#include <driver_types.h>

#include "simulator/runtime/streams/graphs/graph.hpp"

namespace klab::sim {

/// Each checks its parameters as a direct call would, and fills `work` only on success.
cudaError_t make_work(const cudaKernelNodeParams& parameters, Work& work);
cudaError_t make_work(const cudaMemcpy3DParms& parameters, Work& work);
cudaError_t make_work(const cudaMemsetParams& parameters, Work& work);
cudaError_t make_work(const cudaHostNodeParams& parameters, Work& work);
cudaError_t linear_copy_work(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                             Work& work);

/// The type of the nodes that such parameters make.
constexpr cudaGraphNodeType type_of(const cudaKernelNodeParams*) { return cudaGraphNodeTypeKernel; }
constexpr cudaGraphNodeType type_of(const cudaMemcpy3DParms*) { return cudaGraphNodeTypeMemcpy; }
constexpr cudaGraphNodeType type_of(const cudaMemsetParams*) { return cudaGraphNodeTypeMemset; }
constexpr cudaGraphNodeType type_of(const cudaHostNodeParams*) { return cudaGraphNodeTypeHost; }

/// The node's kernel parameters as the toolkit shows them; the pointers stay valid until the node
/// changes.
cudaKernelNodeParams kernel_parameters(GraphNode& node);
/// Those of other nodes, of whose kind the work is.
cudaMemcpy3DParms copy_parameters(const Work& work);
cudaMemsetParams memset_parameters(const Work& work);
cudaHostNodeParams host_parameters(const Work& work);

}  // namespace klab::sim
