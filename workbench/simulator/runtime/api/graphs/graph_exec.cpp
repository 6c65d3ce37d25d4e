// Executable graphs: instantiation, launch, update.
#include <fmt/format.h>

#include "simulator/runtime/api/graphs/graph_call.hpp"

using namespace klab::sim;

namespace {

cudaError_t instantiate(cudaGraphExec_t* out, cudaGraph_t handle, unsigned long long flags,
                        cudaGraphInstantiateResult& result,
                        const char* name = __builtin_FUNCTION()) {
  result = cudaGraphInstantiateError;
  return with_graph(
      handle,
      [&](Runtime& runtime, Graph& graph) {
        if (out == nullptr) return cudaErrorInvalidValue;
        if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
          runtime.lack(name,
                       fmt::format("{} was asked for a graph that kernels launch "
                                   "(cudaGraphInstantiateFlagDeviceLaunch), which the simulator "
                                   "does not have: launch it from the host, or run the program on "
                                   "a GPU.",
                                   name));
          return cudaErrorNotSupported;
        }
        GraphExec* exec = nullptr;
        const cudaError_t code = runtime.graphs.instantiate(graph, &exec, result);
        if (exec != nullptr) exec->flags = flags;
        *out = handle_of(exec);
        return code;
      },
      name);
}

/// Memory that a launch leaves to others to free is kept until they do; a later launch finds it.
void count_memory(Runtime& runtime, const GraphExec& exec) {
  for (const std::uint64_t address : exec.freed) runtime.no_longer_kept(address);
  for (const std::uint64_t address : exec.left) {
    AllocationRecord* record = runtime.allocations.at(address);
    if (record == nullptr || record->kept_by_launch) continue;
    record->kept_by_launch = true;
    ++runtime.counts.kept_allocations;
  }
}

}  // namespace

extern "C" {

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t graph,
                                          unsigned long long flags) {
  cudaGraphInstantiateResult result;
  return instantiate(out, graph, flags, result);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph,
                                 unsigned long long flags) {
  const CalledAs outer;
  return cudaGraphInstantiateWithFlags(out, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* out, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  if (parameters == nullptr) return Errors::record(cudaErrorInvalidValue);
  parameters->errNode_out = nullptr;
  return instantiate(out, graph,
                     parameters->flags & ~static_cast<unsigned>(cudaGraphInstantiateFlagUpload),
                     parameters->result_out);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return api_call([&](Runtime& runtime) {
    GraphExec* exec = runtime.graphs.find(handle);
    if (exec == nullptr) return cudaErrorInvalidValue;
    runtime.graphs.destroy(exec);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  return api_call([&](Runtime& runtime) {
    const GraphExec* exec = runtime.graphs.find(handle);
    return exec == nullptr ? cudaErrorInvalidValue : give(flags, exec->flags);
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
    if (!stream->capture) {
      ++runtime.counts.graph_launches;
      count_memory(runtime, *exec);
    }
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
