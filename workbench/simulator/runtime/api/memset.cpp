// Memsets. They are asynchronous to the host even without a stream argument.
#include "simulator/runtime/api/api.hpp"

using namespace klab::sim;

namespace {

cudaError_t set_memory(Runtime& runtime, MemsetWork work, cudaStream_t handle) {
  Stream* stream = runtime.streams.find(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (work.height > 1 && work.pitch < work.width * work.element_bytes) {
    return cudaErrorInvalidValue;
  }
  if (const cudaError_t code = check_memset(work); code != cudaSuccess) return code;
  work.means_nothing =
      !runtime.errors.in_kernel_file() && runtime.has_device() &&
      runtime.device().memory().is_scratch(reinterpret_cast<std::uint64_t>(work.destination));
  return runtime.streams.submit(*stream, work);
}

MemsetWork box(void* to, std::size_t pitch, std::size_t slice_rows, int value, std::size_t width,
               std::size_t height, std::size_t depth) {
  MemsetWork work;
  work.destination = static_cast<std::byte*>(to);
  work.value = static_cast<std::uint32_t>(value) & 0xff;
  work.width = width;
  work.height = height;
  work.depth = depth;
  work.pitch = pitch;
  work.slice_rows = slice_rows;
  return work;
}

}  // namespace

extern "C" {

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    return set_memory(runtime, box(to, bytes, 1, value, bytes, 1, 1), stream);
  });
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  const CalledAs outer;
  return cudaMemsetAsync(to, value, bytes, cudaStreamLegacy);
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    return set_memory(runtime, box(to, pitch, height, value, width, height, 1), stream);
  });
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  const CalledAs outer;
  return cudaMemset2DAsync(to, pitch, value, width, height, cudaStreamLegacy);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    return set_memory(
        runtime, box(to.ptr, to.pitch, to.ysize, value, extent.width, extent.height, extent.depth),
        stream);
  });
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  const CalledAs outer;
  return cudaMemset3DAsync(to, value, extent, cudaStreamLegacy);
}

}  // extern "C"
