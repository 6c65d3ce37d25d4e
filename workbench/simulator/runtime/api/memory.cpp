// Allocation functions: device, pinned, managed, registered, pitched; pointer queries.
#include <algorithm>

#include "simulator/base/round_up.hpp"
#include "simulator/runtime/api/api.hpp"
#include "simulator/runtime/state/host_access.hpp"

using namespace klab::sim;

namespace {

/// Row alignment of pitched allocations: what compute capability 9.0 drivers use.
constexpr std::size_t pitch_alignment_bytes = 512;

cudaError_t allocate(Runtime& runtime, void** pointer, std::size_t bytes, MemoryKind kind,
                     unsigned flags = 0) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (const cudaError_t code = runtime.streams.forbid_in_capture(); code != cudaSuccess) {
    return code;
  }
  ++runtime.counts.allocation_calls;
  if (bytes == 0) return cudaSuccess;
  const auto base = runtime.allocate(bytes, kind);
  if (!base) return cudaErrorMemoryAllocation;
  // Host code may write these at any time, unseen.
  if (kind != MemoryKind::device) runtime.device().memory().mark_initialized(*base, bytes);
  watch_host_access(runtime.device().memory());
  runtime.allocations.add(*base, {.bytes = bytes, .kind = kind, .flags = flags});
  ++runtime.counts.kept_allocations;
  *pointer = reinterpret_cast<void*>(*base);
  return cudaSuccess;
}

/// Frees memory of the kinds the call is for; waits for pending work first, as cudaFree does.
cudaError_t release(Runtime& runtime, void* pointer, bool host_call) {
  if (pointer == nullptr) return cudaSuccess;
  if (const cudaError_t code = runtime.streams.forbid_in_capture(); code != cudaSuccess) {
    return code;
  }
  ++runtime.counts.free_calls;
  const auto base = reinterpret_cast<std::uint64_t>(pointer);
  const AllocationRecord* record = runtime.allocations.at(base);
  const bool fits = record != nullptr && !record->registered && !record->freed &&
                    (record->kind == MemoryKind::pinned) == host_call;
  if (!fits) {
    runtime.tell_freed_twice(base);
    return cudaErrorInvalidValue;
  }
  ++runtime.counts.host_synchronizations;
  const cudaError_t code = runtime.streams.synchronize_all();
  // A graph keeps its memory's addresses for its next launch, whoever frees it in between.
  if (record->owned_by_graph) {
    runtime.no_longer_kept(base);
    return code;
  }
  --runtime.counts.kept_allocations;
  runtime.order.add_memory("release", name_of(record->kind), record->bytes);
  runtime.allocations.remove(base);
  runtime.device().memory().release(base);
  return code;
}

/// Their product, or what no memory holds.
std::size_t product(std::size_t a, std::size_t b) {
  return b != 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return api_call(
      [&](Runtime& runtime) { return allocate(runtime, pointer, bytes, MemoryKind::device); });
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  return api_call([&](Runtime& runtime) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return allocate(runtime, pointer, bytes, MemoryKind::managed, flags);
  });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  return api_call([&](Runtime& runtime) {
    constexpr unsigned known =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if ((flags & ~known) != 0) return cudaErrorInvalidValue;
    return allocate(runtime, pointer, bytes, MemoryKind::pinned, flags);
  });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  const CalledAs outer;
  return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFree(void* pointer) {
  return api_call([&](Runtime& runtime) { return release(runtime, pointer, false); });
}

cudaError_t cudaFreeHost(void* pointer) {
  return api_call([&](Runtime& runtime) { return release(runtime, pointer, true); });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return api_call([&](Runtime& runtime) {
    if (pitch == nullptr) return cudaErrorInvalidValue;
    *pitch = round_up(width, pitch_alignment_bytes);
    return allocate(runtime, pointer, product(*pitch, height), MemoryKind::device);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  return api_call([&](Runtime& runtime) {
    if (pitched == nullptr) return cudaErrorInvalidValue;
    const std::size_t pitch = round_up(extent.width, pitch_alignment_bytes);
    const std::size_t bytes = product(pitch, product(extent.height, extent.depth));
    void* pointer = nullptr;
    const cudaError_t code = allocate(runtime, &pointer, bytes, MemoryKind::device);
    if (code == cudaSuccess) *pitched = {pointer, pitch, extent.width, extent.height};
    return code;
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
  return api_call([&](Runtime& runtime) {
    if (pointer == nullptr || bytes == 0) return cudaErrorInvalidValue;
    ++runtime.counts.allocation_calls;
    if (!runtime.device().memory().register_host(pointer, bytes)) {
      return cudaErrorHostMemoryAlreadyRegistered;
    }
    runtime.allocations.add(
        reinterpret_cast<std::uint64_t>(pointer),
        {.bytes = bytes, .kind = MemoryKind::pinned, .flags = flags, .registered = true});
    ++runtime.registered;
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return api_call([&](Runtime& runtime) {
    ++runtime.counts.free_calls;
    const auto base = reinterpret_cast<std::uint64_t>(pointer);
    const AllocationRecord* record = runtime.allocations.at(base);
    if (record == nullptr || !record->registered) return cudaErrorHostMemoryNotRegistered;
    const cudaError_t code = runtime.streams.synchronize_all();
    runtime.allocations.remove(base);
    --runtime.registered;
    runtime.device().memory().release(base);
    return code;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
  return api_call([&](Runtime& runtime) {
    if (device == nullptr) return cudaErrorInvalidValue;
    const auto holder = runtime.allocations.holding(reinterpret_cast<std::uint64_t>(host));
    if (holder == runtime.allocations.end() || holder->second.kind != MemoryKind::pinned) {
      return cudaErrorInvalidValue;
    }
    *device = host;  // one address space
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  return api_call([&](Runtime& runtime) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    const auto holder = runtime.allocations.holding(reinterpret_cast<std::uint64_t>(host));
    if (holder == runtime.allocations.end() || holder->second.kind != MemoryKind::pinned) {
      return cudaErrorInvalidValue;
    }
    *flags = holder->second.flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return api_call([&](Runtime& runtime) {
    if (free_bytes == nullptr || total_bytes == nullptr) return cudaErrorInvalidValue;
    const DeviceMemory& memory = runtime.device().memory();
    *total_bytes = memory.limit_bytes();
    *free_bytes = memory.limit_bytes() - std::min(memory.used_bytes(), memory.limit_bytes());
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return api_call([&](Runtime& runtime) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = {};
    void* address = const_cast<void*>(pointer);
    const Allocation* allocation =
        runtime.has_device()
            ? runtime.device().memory().find(reinterpret_cast<std::uint64_t>(pointer))
            : nullptr;
    if (allocation == nullptr || allocation->freed) {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = cudaInvalidDeviceId;
      attributes->hostPointer = address;
      return cudaSuccess;
    }
    const bool host = allocation->kind == MemoryKind::pinned;
    const bool managed = allocation->kind == MemoryKind::managed;
    attributes->type = host      ? cudaMemoryTypeHost
                       : managed ? cudaMemoryTypeManaged
                                 : cudaMemoryTypeDevice;
    attributes->devicePointer = address;
    attributes->hostPointer = host || managed ? address : nullptr;
    return cudaSuccess;
  });
}

}  // extern "C"
