// Owners of CUDA objects: streams, events, device and pinned memory. Their destructors never throw:
// after a device fault every release fails, and that fault has been reported already.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

#include "runner/device/cuda_check.hpp"

namespace klab::runner {

namespace detail {

struct DestroyStream {
  void operator()(cudaStream_t stream) const noexcept { cudaStreamDestroy(stream); }
};
struct DestroyEvent {
  void operator()(cudaEvent_t event) const noexcept { cudaEventDestroy(event); }
};
struct FreeDevice {
  void operator()(std::byte* memory) const noexcept { cudaFree(memory); }
};
struct FreePinned {
  void operator()(std::byte* memory) const noexcept { cudaFreeHost(memory); }
};

}  // namespace detail

using Stream = std::unique_ptr<CUstream_st, detail::DestroyStream>;
using Event = std::unique_ptr<CUevent_st, detail::DestroyEvent>;
using DeviceBuffer = std::unique_ptr<std::byte, detail::FreeDevice>;
using PinnedBuffer = std::unique_ptr<std::byte, detail::FreePinned>;

/// A stream that synchronizes with the legacy default stream, so that a kernel file which forgets
/// the stream argument is still ordered, and still inside the timed region.
inline Stream make_stream(unsigned flags = cudaStreamDefault) {
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreateWithFlags(&stream, flags));
  return Stream(stream);
}

inline Event make_event() {
  cudaEvent_t event = nullptr;
  check_cuda(cudaEventCreate(&event));
  return Event(event);
}

/// Errors: out_of_memory.
inline DeviceBuffer make_device_buffer(std::size_t bytes) {
  void* memory = nullptr;
  check_allocation(cudaMalloc(&memory, bytes), bytes, "device");
  return DeviceBuffer(static_cast<std::byte*>(memory));
}

/// Errors: out_of_memory.
inline PinnedBuffer make_pinned_buffer(std::size_t bytes) {
  void* memory = nullptr;
  check_allocation(cudaMallocHost(&memory, bytes), bytes, "pinned host");
  return PinnedBuffer(static_cast<std::byte*>(memory));
}

}  // namespace klab::runner
