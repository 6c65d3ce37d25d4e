// Managed memory: advice, prefetching, and what is known of a range.
#include <algorithm>
#include <cstring>

#include "simulator/runtime/api/api.hpp"

using namespace klab::sim;

namespace {

/// A part of one managed allocation.
struct Range {
  ManagedAdvice* advice = nullptr;
  std::uint64_t begin = 0, end = 0;
};

/// Acts with the range; an invalid value where it is not managed memory.
template <class Act>
cudaError_t with_range(Runtime& runtime, const void* pointer, std::size_t bytes, Act&& act) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const auto holder = runtime.allocations.holding(address);
  if (bytes == 0 || !runtime.has_device()) return cudaErrorInvalidValue;
  if (holder == runtime.allocations.end()) {  // a __managed__ variable: nothing is kept of it
    const Allocation* variable = runtime.device().memory().find(address);
    if (variable == nullptr || variable->freed || variable->kind != MemoryKind::managed)
      return cudaErrorInvalidValue;
    ManagedAdvice none;
    return act(Range{&none, address, address + bytes});
  }
  AllocationRecord& record = *runtime.allocations.at(holder->first);
  if (record.kind != MemoryKind::managed || bytes > holder->first + record.bytes - address)
    return cudaErrorInvalidValue;
  return act(Range{&record.advice, address, address + bytes});
}

cudaError_t check_location(cudaMemLocation location) {
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      return location.id == 0 ? cudaSuccess : cudaErrorInvalidDevice;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t advise(const Range& range, cudaMemoryAdvise advice, cudaMemLocation location) {
  const auto set = [&](AdvisedRanges& ranges, AdvisedRanges::Value value) {
    ranges.set(range.begin, range.end, value);
    return cudaSuccess;
  };
  ManagedAdvice& all = *range.advice;
  switch (advice) {
    case cudaMemAdviseSetReadMostly:
      return set(all.read_mostly, cudaMemLocation{});
    case cudaMemAdviseUnsetReadMostly:
      return set(all.read_mostly, std::nullopt);
    case cudaMemAdviseUnsetPreferredLocation:
      return set(all.preferred, std::nullopt);
    default:
      break;
  }
  if (const cudaError_t code = check_location(location); code != cudaSuccess) return code;
  const bool on_device = location.type == cudaMemLocationTypeDevice;
  AdvisedRanges& by = on_device ? all.accessed_by_device : all.accessed_by_host;
  switch (advice) {
    case cudaMemAdviseSetPreferredLocation:
      return set(all.preferred, location);
    case cudaMemAdviseSetAccessedBy:
      return set(by, location);
    case cudaMemAdviseUnsetAccessedBy:
      return set(by, std::nullopt);
    default:
      return cudaErrorInvalidValue;
  }
}

/// A place as the older attributes name it: a device, the host, or neither.
int device_of(const AdvisedRanges::Value& place) {
  if (!place) return cudaInvalidDeviceId;
  return place->type == cudaMemLocationTypeDevice ? place->id : cudaCpuDeviceId;
}
int type_of(const AdvisedRanges::Value& place) {
  return place ? static_cast<int>(place->type) : static_cast<int>(cudaMemLocationTypeInvalid);
}
int id_of(const AdvisedRanges::Value& place) {
  return place && place->type != cudaMemLocationTypeHost ? place->id : cudaInvalidDeviceId;
}

cudaError_t tell(const Range& range, cudaMemRangeAttribute attribute, std::vector<int>& out) {
  const auto alike = [&](const AdvisedRanges& ranges) {
    return ranges.all_of(range.begin, range.end);
  };
  const ManagedAdvice& all = *range.advice;
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      out = {alike(all.read_mostly) ? 1 : 0};
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation:
      out = {device_of(alike(all.preferred))};
      return cudaSuccess;
    case cudaMemRangeAttributeAccessedBy:
      if (alike(all.accessed_by_device)) out.push_back(0);
      if (alike(all.accessed_by_host)) out.push_back(cudaCpuDeviceId);
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocation:
      out = {device_of(alike(all.prefetched))};
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationType:
      out = {type_of(alike(all.preferred))};
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationId:
      out = {id_of(alike(all.preferred))};
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationType:
      out = {type_of(alike(all.prefetched))};
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationId:
      out = {id_of(alike(all.prefetched))};
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

/// One number, or of devices as many as there is room for.
cudaError_t answer(const Range& range, cudaMemRangeAttribute attribute, void* data,
                   std::size_t bytes) {
  const bool list = attribute == cudaMemRangeAttributeAccessedBy;
  if (data == nullptr || bytes == 0 || bytes % sizeof(int) != 0 || (!list && bytes != sizeof(int)))
    return cudaErrorInvalidValue;
  std::vector<int> found;
  if (const cudaError_t code = tell(range, attribute, found); code != cudaSuccess) return code;
  found.resize(bytes / sizeof(int), cudaInvalidDeviceId);
  std::memcpy(data, found.data(), bytes);
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t handle) {
  return with_stream(handle, [&](Runtime& runtime, Stream& stream) {
    return with_range(runtime, pointer, bytes, [&](const Range& range) {
      if (flags != 0) return cudaErrorInvalidValue;
      if (const cudaError_t code = check_location(location); code != cudaSuccess) return code;
      range.advice->prefetched.set(range.begin, range.end, location);
      return runtime.streams.submit(stream, EmptyWork{});  // pages do not move here
    });
  });
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  return api_call([&](Runtime& runtime) {
    return with_range(runtime, pointer, bytes,
                      [&](const Range& range) { return advise(range, advice, location); });
  });
}

cudaError_t cudaMemRangeGetAttribute(void* data, size_t data_bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t bytes) {
  return api_call([&](Runtime& runtime) {
    return with_range(runtime, pointer, bytes, [&](const Range& range) {
      return answer(range, attribute, data, data_bytes);
    });
  });
}

cudaError_t cudaMemRangeGetAttributes(void** data, size_t* data_bytes,
                                      cudaMemRangeAttribute* attributes, size_t count,
                                      const void* pointer, size_t bytes) {
  return api_call([&](Runtime& runtime) {
    return with_range(runtime, pointer, bytes, [&](const Range& range) {
      if (data == nullptr || data_bytes == nullptr || attributes == nullptr || count == 0)
        return cudaErrorInvalidValue;
      for (std::size_t i = 0; i < count; ++i)
        if (const cudaError_t code = answer(range, attributes[i], data[i], data_bytes[i]);
            code != cudaSuccess)
          return code;
      return cudaSuccess;
    });
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* pointer, size_t, unsigned int) {
  return with_stream(handle, [&](Runtime& runtime, Stream& stream) {
    if (runtime.allocations.at(reinterpret_cast<std::uint64_t>(pointer)) == nullptr) {
      return cudaErrorInvalidValue;
    }
    return runtime.streams.submit(stream, EmptyWork{});
  });
}

}  // extern "C"
