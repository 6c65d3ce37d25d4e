// Node parameters to work and back.
#include "simulator/runtime/streams/graphs/graph_work.hpp"

#include "simulator/runtime/state/runtime.hpp"
#include "simulator/runtime/streams/arguments.hpp"

namespace klab::sim {

cudaError_t make_work(const cudaKernelNodeParams& parameters, Work& work) {
  if (parameters.extra != nullptr) {
    Runtime::instance().lack("cudaKernelNodeParams",
                             "A kernel node's arguments as one buffer (the member extra of its "
                             "parameters) are not part of the simulated runtime. Name each of them "
                             "in kernelParams.");
    return cudaErrorNotSupported;
  }
  KernelWork kernel;
  kernel.kernel = Runtime::instance().modules.find_kernel(parameters.func);
  kernel.grid = {parameters.gridDim.x, parameters.gridDim.y, parameters.gridDim.z};
  kernel.block = {parameters.blockDim.x, parameters.blockDim.y, parameters.blockDim.z};
  kernel.dynamic_shared_bytes = parameters.sharedMemBytes;
  // Attributes set on the node before survive new parameters.
  if (const auto* before = std::get_if<KernelWork>(&work)) {
    kernel.cluster = before->cluster;
    kernel.cooperative = before->cooperative;
    kernel.early = before->early;
  }
  const cudaError_t code = prepare_launch(kernel, parameters.kernelParams);
  if (code == cudaSuccess) work = std::move(kernel);
  return code;
}

cudaError_t make_work(const cudaMemcpy3DParms& parameters, Work& work) {
  CopyWork copy;
  cudaError_t code = pitched_copy(parameters, copy);
  if (code == cudaSuccess) code = check_copy(copy);
  if (code == cudaSuccess) work = std::move(copy);
  return code;
}

cudaError_t linear_copy_work(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                             Work& work) {
  CopyWork copy = linear_copy(to, from, bytes, kind);
  const cudaError_t code = check_copy(copy);
  if (code == cudaSuccess) work = std::move(copy);
  return code;
}

cudaError_t make_work(const cudaMemsetParams& parameters, Work& work) {
  const unsigned size = parameters.elementSize;
  if (size != 1 && size != 2 && size != 4) return cudaErrorInvalidValue;
  MemsetWork memset;
  memset.destination = static_cast<std::byte*>(parameters.dst);
  memset.value = parameters.value;
  memset.element_bytes = size;
  memset.width = parameters.width;
  memset.height = parameters.height;
  memset.pitch = parameters.pitch;
  memset.slice_rows = parameters.height;
  const cudaError_t code = check_memset(memset);
  if (code == cudaSuccess) work = memset;
  return code;
}

cudaError_t make_work(const cudaHostNodeParams& parameters, Work& work) {
  if (parameters.fn == nullptr) return cudaErrorInvalidValue;
  work = HostWork{parameters.fn, parameters.userData};
  return cudaSuccess;
}

cudaKernelNodeParams kernel_parameters(GraphNode& node) {
  auto& work = std::get<KernelWork>(node.work);
  node.argument_pointers.clear();
  for (const KernelParameter& parameter : work.kernel->kernel->info().parameters) {
    node.argument_pointers.push_back(work.parameters.data() + parameter.offset_bytes);
  }
  cudaKernelNodeParams p{};
  p.func = const_cast<void*>(work.kernel->host_function);
  p.gridDim = {work.grid.x, work.grid.y, work.grid.z};
  p.blockDim = {work.block.x, work.block.y, work.block.z};
  p.sharedMemBytes = work.dynamic_shared_bytes;
  p.kernelParams = node.argument_pointers.data();
  return p;
}

cudaMemcpy3DParms copy_parameters(const Work& work) {
  const auto& copy = std::get<CopyWork>(work);
  cudaMemcpy3DParms p{};
  p.srcPtr = {const_cast<std::byte*>(copy.source), copy.source_pitch, copy.width_bytes,
              copy.source_slice_rows};
  p.dstPtr = {copy.destination, copy.destination_pitch, copy.width_bytes,
              copy.destination_slice_rows};
  p.extent = {copy.width_bytes, copy.height, copy.depth};
  p.kind = copy.kind;
  return p;
}

cudaMemsetParams memset_parameters(const Work& work) {
  const auto& memset = std::get<MemsetWork>(work);
  return {memset.destination,   memset.pitch, memset.value,
          memset.element_bytes, memset.width, memset.height};
}

cudaHostNodeParams host_parameters(const Work& work) {
  const auto& host = std::get<HostWork>(work);
  return {host.function, host.user_data};
}

}  // namespace klab::sim
