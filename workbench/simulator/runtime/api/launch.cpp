// Kernel launches: the <<<>>> hooks and the launch functions.
#include <fmt/format.h>

#include <cstring>

#include "simulator/runtime/api/api.hpp"
#include "simulator/runtime/streams/arguments.hpp"

namespace klab::sim {

cudaError_t prepare_launch(KernelWork& work, void** arguments) {
  if (const cudaError_t code = check_launch(work); code != cudaSuccess) return code;
  const KernelInfo& info = work.kernel->kernel->info();
  work.parameters.resize(info.parameter_bytes);
  if (!info.parameters.empty() && arguments == nullptr) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    std::memcpy(work.parameters.data() + info.parameters[i].offset_bytes, arguments[i],
                info.parameters[i].size_bytes);
  }
  return cudaSuccess;
}

cudaError_t apply_launch_attribute(KernelWork& work, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue& value) {
  switch (id) {
    case cudaLaunchAttributeCooperative:
      work.cooperative = value.cooperative != 0;
      break;
    case cudaLaunchAttributeClusterDimension:
      work.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
      break;
    // Kernels run in order here; the checker looks at what the permission to overlap would allow.
    case cudaLaunchAttributeProgrammaticStreamSerialization:
      work.early = value.programmaticStreamSerializationAllowed != 0;
      break;
    // Hints: running in order is always right.
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributePreferredClusterDimension:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
      break;
    default:
      Runtime::instance().lack(
          "cudaLaunchAttributeID",
          fmt::format("Launch attribute {} (cudaLaunchAttributeID) is not part of the simulated "
                      "runtime; the call that uses it answers cudaErrorNotSupported. Leave it out, "
                      "or run the program on a GPU.",
                      static_cast<int>(id)));
      return cudaErrorNotSupported;
  }
  return cudaSuccess;
}

}  // namespace klab::sim

using namespace klab::sim;

namespace {

struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared_bytes;
  cudaStream_t stream;
};
thread_local std::vector<CallConfiguration> call_configurations;

Dim3 dim_of(dim3 d) { return {d.x, d.y, d.z}; }

KernelWork work_of(KernelRecord* kernel, dim3 grid, dim3 block, std::size_t shared_bytes) {
  KernelWork work;
  work.kernel = kernel;
  work.grid = dim_of(grid);
  work.block = dim_of(block);
  work.dynamic_shared_bytes =
      static_cast<std::uint32_t>(std::min<std::size_t>(shared_bytes, UINT32_MAX));
  return work;
}

/// `begun` is an event that comes when the blocks have begun, or have said that others may: nothing
/// of what the kernel writes is sure to be seen by who waits for it, so it stands before the kernel
/// (CUDA Runtime API, cudaLaunchAttributeProgrammaticEvent,
/// cudaLaunchAttributeLaunchCompletionEvent).
cudaError_t launch(Runtime& runtime, KernelWork work, void** arguments, cudaStream_t handle,
                   const EventPointer& begun = {}) {
  Stream* stream = runtime.streams.find(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t code = prepare_launch(work, arguments); code != cudaSuccess) return code;
  if (!stream->capture) ++runtime.counts.kernel_launches;
  if (begun)
    if (const cudaError_t code = runtime.streams.record(*stream, begun, 0); code != cudaSuccess)
      return code;
  return runtime.streams.submit(*stream, std::move(work));
}

}  // namespace

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     struct CUstream_st* stream) {
  try {
    call_configurations.push_back({grid, block, shared_bytes, stream});
    return 0;
  } catch (...) {
    return 1;
  }
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                       void* stream) {
  if (call_configurations.empty()) return Errors::record(cudaErrorMissingConfiguration);
  const CallConfiguration& top = call_configurations.back();
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  call_configurations.pop_back();
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
  return cudaGetKernel(kernel, host_function);
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
  return api_call([&](Runtime& runtime) {
    if (kernel == nullptr) return cudaErrorInvalidValue;
    *kernel = reinterpret_cast<cudaKernel_t>(runtime.modules.find_kernel(host_function));
    return *kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
  });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* host_function) {
  const CalledAs outer;
  return cudaGetKernel(reinterpret_cast<cudaKernel_t*>(function), host_function);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    return launch(runtime,
                  work_of(runtime.modules.find_kernel(function), grid, block, shared_bytes),
                  arguments, stream);
  });
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    KernelWork work = work_of(runtime.modules.find_kernel(function), grid, block, shared_bytes);
    work.cooperative = true;
    return launch(runtime, std::move(work), arguments, stream);
  });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  return api_call([&](Runtime& runtime) {
    if (config == nullptr || (config->attrs == nullptr && config->numAttrs != 0)) {
      return cudaErrorInvalidValue;
    }
    KernelWork work = work_of(runtime.modules.find_kernel(function), config->gridDim,
                              config->blockDim, config->dynamicSmemBytes);
    EventPointer begun;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      const cudaLaunchAttribute& attribute = config->attrs[i];
      if (attribute.id == cudaLaunchAttributeProgrammaticEvent) {
        begun = runtime.streams.find(attribute.val.programmaticEvent.event);
      } else if (attribute.id == cudaLaunchAttributeLaunchCompletionEvent) {
        begun = runtime.streams.find(attribute.val.launchCompletionEvent.event);
      } else if (const cudaError_t code = apply_launch_attribute(work, attribute.id, attribute.val);
                 code != cudaSuccess) {
        return code;
      }
    }
    return launch(runtime, std::move(work), arguments, config->stream, begun);
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* user_data) {
  return with_stream(handle, [&](Runtime& runtime, Stream& stream) {
    if (function == nullptr) return cudaErrorInvalidValue;
    return runtime.streams.submit(stream, HostWork{function, user_data, nullptr, handle});
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback,
                                  void* user_data, unsigned int flags) {
  return with_stream(handle, [&](Runtime& runtime, Stream& stream) {
    if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (stream.capture) return cudaErrorStreamCaptureUnsupported;
    return runtime.streams.submit(stream, HostWork{nullptr, user_data, callback, handle});
  });
}

}  // extern "C"
