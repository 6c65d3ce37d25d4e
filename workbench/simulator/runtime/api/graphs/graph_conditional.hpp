// Adding a conditional node, which only the function that takes any type of node does.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace klab::sim {

/// Makes the node and its bodies, which `parameters` then show.
cudaError_t add_conditional_node(cudaGraphNode_t* out, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, std::size_t count,
                                 cudaConditionalNodeParams& parameters, const char* name);

}  // namespace klab::sim
