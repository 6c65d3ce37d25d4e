// Executable graphs: instantiation, launch, update.
#include "simulator/runtime/api/graph_call.hpp"

using namespace klab::sim;

extern "C" {

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t handle,
                                          unsigned long long flags) {
  return with_graph(handle, [&](Runtime& runtime, Graph& graph) {
    if (out == nullptr) return cudaErrorInvalidValue;
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
      runtime.say("Launching a graph from the device needs a GPU.");
      return cudaErrorNotSupported;
    }
    GraphExec* exec = nullptr;
    const cudaError_t code = runtime.graphs.instantiate(graph, &exec);
    *out = handle_of(exec);
    return code;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph,
                                 unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(out, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* out, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  if (parameters == nullptr) return Errors::record(cudaErrorInvalidValue);
  const cudaError_t code = cudaGraphInstantiateWithFlags(
      out, graph, parameters->flags & ~static_cast<unsigned>(cudaGraphInstantiateFlagUpload));
  parameters->errNode_out = nullptr;
  parameters->result_out =
      code == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateInvalidStructure;
  return code;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return api_call([&](Runtime& runtime) {
    GraphExec* exec = runtime.graphs.find(handle);
    if (exec == nullptr) return cudaErrorInvalidValue;
    runtime.graphs.destroy(exec);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    if (runtime.graphs.find(handle) == nullptr) return cudaErrorInvalidValue;
    return runtime.streams.find(stream) == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  return api_call([&](Runtime& runtime) {
    GraphExec* exec = runtime.graphs.find(handle);
    if (exec == nullptr) return cudaErrorInvalidValue;
    Stream* stream = runtime.streams.find(stream_handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (!stream->capture) ++runtime.counts.graph_launches;
    return runtime.streams.submit(*stream, GraphWork{exec->ready()});
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                cudaGraphExecUpdateResultInfo* result) {
  return with_graph(graph_handle, [&](Runtime& runtime, Graph& graph) {
    GraphExec* exec = runtime.graphs.find(handle);
    if (exec == nullptr || result == nullptr) return cudaErrorInvalidValue;
    return runtime.graphs.update(*exec, graph, *result);
  });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return set_step(exec, node, parameters);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return set_step(exec, node, parameters);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
  return with_step(exec, node, cudaGraphNodeTypeMemcpy, [&](GraphExec::Step& step) {
    return linear_copy_work(to, from, bytes, kind, step.work);
  });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return set_step(exec, node, parameters);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int enabled) {
  return with_step(exec, node, cudaGraphNodeTypeCount, [&](GraphExec::Step& step) {
    const bool may = step.type == cudaGraphNodeTypeKernel || step.type == cudaGraphNodeTypeMemcpy ||
                     step.type == cudaGraphNodeTypeMemset;
    if (!may) return cudaErrorInvalidValue;
    step.enabled = enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int* enabled) {
  return with_step(exec, node, cudaGraphNodeTypeCount,
                   [&](GraphExec::Step& step) { return give(enabled, step.enabled); });
}

}  // extern "C"
