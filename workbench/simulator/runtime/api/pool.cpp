// Stream-ordered allocation and memory pools.

#include <string>

#include "simulator/runtime/api/api.hpp"

using namespace klab::sim;

namespace {

MemoryPool* pool_of(Runtime& runtime, cudaMemPool_t handle) {
  auto* pool = reinterpret_cast<MemoryPool*>(handle);
  if (pool == &runtime.allocations.default_pool) return pool;
  return runtime.allocations.pools.contains(pool) ? pool : nullptr;
}

cudaMemPool_t handle_of_pool(MemoryPool* pool) { return reinterpret_cast<cudaMemPool_t>(pool); }

/// The address is valid at once; its contents are ordered by the stream, as documented.
cudaError_t allocate_async(Runtime& runtime, void** pointer, std::size_t bytes, MemoryPool* pool,
                           cudaStream_t handle) {
  Stream* stream = runtime.streams.find(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (pointer == nullptr || pool == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  ++runtime.counts.pool_allocation_calls;
  if (bytes == 0) return cudaSuccess;
  if (stream->capture) {
    GraphNode* node = nullptr;
    const cudaError_t code =
        runtime.graphs.add_allocation(*stream->capture->graph, bytes, stream->frontier, &node);
    if (code != cudaSuccess) return code;
    stream->frontier = {node};
    *pointer = reinterpret_cast<void*>(node->memory->address);
    return cudaSuccess;
  }
  const auto base = runtime.allocate(bytes, MemoryKind::device);
  if (!base) return cudaErrorMemoryAllocation;
  runtime.allocations.add(*base, {.bytes = bytes, .kind = MemoryKind::device, .pool = pool});
  ++runtime.counts.kept_allocations;
  runtime.streams.allocated(*stream, *base, bytes);
  *pointer = reinterpret_cast<void*>(*base);
  return cudaSuccess;
}

bool is_device(const cudaMemLocation* location) {
  return location != nullptr && location->type == cudaMemLocationTypeDevice;
}

cudaError_t refuse_host(Runtime& runtime, const char* name) {
  runtime.lack(
      name, std::string("Memory pools of the host are not part of the simulated runtime; ") + name +
                " answers cudaErrorNotSupported. Take such memory by cudaMallocHost, or run the "
                "program on a GPU.");
  return cudaErrorNotSupported;
}

cudaError_t refuse_host(const char* name = __builtin_FUNCTION()) {
  return api_call([=](Runtime& runtime) { return refuse_host(runtime, name); }, name);
}

}  // namespace

extern "C" {

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    return allocate_async(runtime, pointer, bytes, runtime.allocations.current_pool, stream);
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    return allocate_async(runtime, pointer, bytes, pool_of(runtime, pool), stream);
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t handle) {
  return api_call([&](Runtime& runtime) {
    Stream* stream = runtime.streams.find(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (pointer == nullptr) return cudaSuccess;
    const auto base = reinterpret_cast<std::uint64_t>(pointer);
    AllocationRecord* record = runtime.allocations.at(base);
    if (record == nullptr || record->freed || record->kind != MemoryKind::device) {
      runtime.tell_freed_twice(base);
      return cudaErrorInvalidValue;
    }
    ++runtime.counts.pool_allocation_calls;
    if (!stream->capture) {
      record->freed = !record->owned_by_graph;
      if (record->freed) --runtime.counts.kept_allocations;
      runtime.no_longer_kept(base);
      return runtime.streams.submit(*stream, FreeWork{base});
    }
    GraphNode* node = nullptr;
    const cudaError_t code =
        runtime.graphs.add_free(*stream->capture->graph, base, stream->frontier, &node);
    if (code == cudaSuccess) stream->frontier = {node};
    return code;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return api_call([&](Runtime& runtime) {
    if (pool == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    if (properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
    if (!is_device(&properties->location)) return refuse_host(runtime, "cudaMemPoolCreate");
    ++runtime.counts.allocation_calls;
    *pool = handle_of_pool(runtime.allocations.create_pool());
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return api_call([&](Runtime& runtime) {
    MemoryPool* pool = pool_of(runtime, handle);
    if (pool == nullptr || pool == &runtime.allocations.default_pool) return cudaErrorInvalidValue;
    ++runtime.counts.free_calls;
    runtime.allocations.destroy_pool(pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t bytes) {
  return api_call([&](Runtime& runtime) {
    MemoryPool* pool = pool_of(runtime, handle);
    if (pool == nullptr) return cudaErrorInvalidValue;
    ++runtime.counts.free_calls;
    pool->trim_to(bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return api_call([&](Runtime& runtime) {
    MemoryPool* pool = pool_of(runtime, handle);
    if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
    const bool flag = *static_cast<int*>(value) != 0;
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies:
        pool->reuse_follow_event_dependencies = flag;
        return cudaSuccess;
      case cudaMemPoolReuseAllowOpportunistic:
        pool->reuse_allow_opportunistic = flag;
        return cudaSuccess;
      case cudaMemPoolReuseAllowInternalDependencies:
        pool->reuse_allow_internal_dependencies = flag;
        return cudaSuccess;
      case cudaMemPoolAttrReleaseThreshold:
        pool->release_threshold_bytes = *static_cast<std::uint64_t*>(value);
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemHigh:
        if (*static_cast<std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;
        pool->forget_high_mark(attribute == cudaMemPoolAttrReservedMemHigh);
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return api_call([&](Runtime& runtime) {
    const MemoryPool* pool = pool_of(runtime, handle);
    if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
    const auto flag = [&](bool set) { *static_cast<int*>(value) = set ? 1 : 0; };
    const auto bytes = [&](std::uint64_t count) { *static_cast<std::uint64_t*>(value) = count; };
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies:
        flag(pool->reuse_follow_event_dependencies);
        return cudaSuccess;
      case cudaMemPoolReuseAllowOpportunistic:
        flag(pool->reuse_allow_opportunistic);
        return cudaSuccess;
      case cudaMemPoolReuseAllowInternalDependencies:
        flag(pool->reuse_allow_internal_dependencies);
        return cudaSuccess;
      case cudaMemPoolAttrReleaseThreshold:
        bytes(pool->release_threshold_bytes);
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemCurrent:
        bytes(pool->reserved_bytes());
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemHigh:
        bytes(pool->most_reserved_bytes());
        return cudaSuccess;
      case cudaMemPoolAttrUsedMemCurrent:
        bytes(pool->used_bytes());
        return cudaSuccess;
      case cudaMemPoolAttrUsedMemHigh:
        bytes(pool->most_used_bytes());
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, size_t count) {
  return api_call([&](Runtime& runtime) {
    if (pool_of(runtime, pool) == nullptr || (list == nullptr && count != 0)) {
      return cudaErrorInvalidValue;
    }
    return cudaSuccess;  // one device, which always has access
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  return api_call([&](Runtime& runtime) {
    if (flags == nullptr || location == nullptr || pool_of(runtime, pool) == nullptr) {
      return cudaErrorInvalidValue;
    }
    const bool own = location->type == cudaMemLocationTypeDevice && location->id == 0;
    *flags = own ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return api_call([&](Runtime& runtime) {
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *pool = handle_of_pool(&runtime.allocations.default_pool);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return api_call([&](Runtime& runtime) {
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *pool = handle_of_pool(runtime.allocations.current_pool);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  return api_call([&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    MemoryPool* pool = pool_of(runtime, handle);
    if (pool == nullptr) return cudaErrorInvalidValue;
    runtime.allocations.current_pool = pool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location,
                                     cudaMemAllocationType) {
  if (!is_device(location)) return refuse_host();
  const CalledAs outer;
  return cudaDeviceGetDefaultMemPool(pool, location->id);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* location,
                              cudaMemAllocationType) {
  if (!is_device(location)) return refuse_host();
  const CalledAs outer;
  return cudaDeviceGetMemPool(pool, location->id);
}

cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType,
                              cudaMemPool_t pool) {
  if (!is_device(location)) return refuse_host();
  const CalledAs outer;
  return cudaDeviceSetMemPool(location->id, pool);
}

}  // extern "C"
