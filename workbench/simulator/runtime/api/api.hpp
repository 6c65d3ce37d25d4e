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

/// What one API function does: a reference to a callable of the caller's.
class CallBody {
 public:
  template <class Body>
  explicit CallBody(Body& body)
      : body_(&body), run_([](void* called, Runtime& runtime) {
          return (*static_cast<Body*>(called))(runtime);
        }) {}
  cudaError_t operator()(Runtime& runtime) const { return run_(body_, runtime); }

 private:
  void* body_;
  cudaError_t (*run_)(void* body, Runtime& runtime);
};

/// Runs the body of one API function: under the runtime's lock, refused after a fatal fault and
/// inside a stream's host function, its result kept as the thread's last error. Nothing thrown
/// inside leaves it. `name` is the function that calls this one.
cudaError_t run_call(const CallBody& body, const char* name) noexcept;
template <class Body>
cudaError_t api_call(Body&& body, const char* name = __builtin_FUNCTION()) noexcept {
  return run_call(CallBody(body), name);
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
