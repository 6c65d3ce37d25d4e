// The exported interface of the replacement runtime: the toolkit's declarations and nvcc's hooks.
#pragma once

// Definitions inherit the visibility of their declarations; everything else here stays hidden.
#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>

extern "C" {
// As in cuda_profiler_api.h, which is a package of its own that not every toolkit has.
cudaError_t CUDARTAPI cudaProfilerStart(void);
cudaError_t CUDARTAPI cudaProfilerStop(void);

// What nvcc-generated host code calls (toolkit header crt/host_runtime.h, which can't be included
// outside of such code).
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** module);
void __cudaUnregisterFatBinary(void** module);
char __cudaInitModule(void** module);
void __cudaRegisterFunction(void** module, const char* host_function, char* device_function,
                            const char* device_name, int thread_limit, uint3* thread, uint3* block,
                            dim3* block_size, dim3* grid_size, int* warp_size);
void __cudaRegisterVar(void** module, char* host_variable, char* device_address,
                       const char* device_name, int external, size_t size, int constant,
                       int global);
void __cudaRegisterManagedVar(void** module, void** host_pointer, char* device_address,
                              const char* device_name, int external, size_t size, int constant,
                              int global);
void __cudaRegisterHostVar(void** module, const char* device_name, char* host_variable,
                           size_t size);
void __cudaRegisterUnifiedTable(void** module, void* table);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     struct CUstream_st* stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream);
}
#pragma GCC visibility pop

#include "simulator/runtime/state/runtime.hpp"
#include "simulator/runtime/state/within_call.hpp"

namespace klab::sim {

/// Runs the body of one API function: under the runtime's lock, refused after a fatal fault and
/// inside a stream's host function, its result kept as the thread's last error. Nothing thrown
/// inside leaves it. `name` is the function that calls this one.
template <class Body>
cudaError_t api_call(Body&& body, const char* name = __builtin_FUNCTION()) noexcept {
  const WithinCall within;
  name = CalledAs::take(name);
  try {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex);
    const UnreadyTimes::Call apart(runtime.unready_times);
    if (runtime.in_host_function) {
      runtime.say(
          "A host function in a stream (cudaLaunchHostFunc) called CUDA, which it may not.");
      return runtime.errors.record(cudaErrorNotPermitted);
    }
    if (const cudaError_t fatal = runtime.errors.fatal(); fatal != cudaSuccess) {
      return runtime.errors.record(fatal);
    }
    const OrderedCall ordered(runtime.order, name);
    ++runtime.ticks;
    ++runtime.calls;
    const std::size_t said = runtime.messages().size();
    const cudaError_t code = body(runtime);
    if (code != cudaSuccess) runtime.refused(name, code, runtime.messages().size() > said);
    return runtime.errors.record(code);
  } catch (const std::bad_alloc&) {
    return Errors::record(cudaErrorMemoryAllocation);
  } catch (...) {
    return Errors::record(cudaErrorUnknown);
  }
}

/// The same with the stream of the handle; an unknown handle is refused.
template <class Body>
cudaError_t with_stream(cudaStream_t handle, Body&& body, const char* name = __builtin_FUNCTION()) {
  return api_call(
      [&](Runtime& runtime) {
        Stream* stream = runtime.streams.find(handle);
        return stream == nullptr ? cudaErrorInvalidResourceHandle : body(runtime, *stream);
      },
      name);
}

/// The host has waited for work of the device: what it says of that.
inline cudaError_t have_waited(Runtime& runtime, cudaError_t code) {
  if (code == cudaSuccess) runtime.allocations.synchronize_pools();
  return code;
}

/// Answers through a pointer of the caller's.
template <class T, class Value>
cudaError_t give(T* out, const Value& value) {
  if (out == nullptr) return cudaErrorInvalidValue;
  *out = static_cast<T>(value);
  return cudaSuccess;
}

}  // namespace klab::sim
