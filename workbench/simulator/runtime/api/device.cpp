// Device, version, limit and error functions of the runtime.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "simulator/runtime/api/api.hpp"
#include "simulator/runtime/state/device.hpp"
#include "simulator/runtime/state/errors.hpp"

using namespace klab::sim;

namespace {

cudaError_t refuse_limit(cudaLimit limit) {
  return limit > cudaLimitPersistingL2CacheSize ? cudaErrorInvalidValue : cudaErrorUnsupportedLimit;
}

cudaError_t check_device(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

// Guarded by the runtime's lock.
struct DeviceOptions {
  unsigned flags = cudaDeviceScheduleAuto;
  cudaFuncCache cache = cudaFuncCachePreferNone;
} options;

// The limits that are nobody else's. What a kernel's stack and printf() may take stands in the
// settings.
struct DeviceLimitsSet {
  std::size_t heap_bytes = 8 * 1024 * 1024;
  std::size_t fetch_granularity = 64;
  std::size_t persisting_l2_bytes = 0;
} limits_set;

void reset_limits(Runtime& runtime) {
  limits_set = {};
  runtime.settings.stack_bytes = Settings().stack_bytes;
  runtime.settings.printf_bytes = Settings().printf_bytes;
  if (runtime.has_device()) runtime.device().memory().set_heap_bytes(limits_set.heap_bytes);
}

// What the device holds for the program: memory of all kinds, textures, values of variables.
void reset_memory(Runtime& runtime) {
  const auto live = runtime.allocations.live();
  for (const auto& [base, record] : live) {
    runtime.allocations.remove(base);
    runtime.device().memory().release(base);
  }
  runtime.allocations.release_pools();
  if (!runtime.has_device()) return;
  DeviceMemory& memory = runtime.device().memory();
  for (const Allocation& piece : memory.living(MemoryKind::heap)) memory.release(piece.base);
  memory.textures().clear();
  runtime.modules.restore_variables(memory);
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return api_call([&](Runtime&) { return give(count, 1); });
}

cudaError_t cudaGetDevice(int* device) {
  return api_call([&](Runtime&) { return give(device, 0); });
}

cudaError_t cudaSetDevice(int device) {
  return api_call([&](Runtime&) { return check_device(device); });
}

cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) { return cudaSetDevice(device); }

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return api_call([&](Runtime&) {
    if (devices == nullptr && count != 0) return cudaErrorInvalidValue;
    const bool ours = std::all_of(devices, devices + count, [](int device) { return device == 0; });
    return ours ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return api_call([&](Runtime&) {
    if (properties == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *properties = device_properties();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return api_call([&](Runtime& runtime) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    const bool of_clocks = attribute == cudaDevAttrClockRate ||
                           attribute == cudaDevAttrMemoryClockRate ||
                           attribute == cudaDevAttrGlobalMemoryBusWidth;
    if (of_clocks && !stands_for_another())
      runtime.say(
          "The simulated device has no clocks and no bandwidth: those attributes are 0, and what a "
          "program computes from them means nothing.");
    const auto known = device_attribute(attribute);
    if (!known) return cudaErrorInvalidValue;
    *value = *known;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return api_call([&](Runtime&) {
    constexpr const char* bus_id = "0000:00:00.0";
    if (text == nullptr || length <= static_cast<int>(std::strlen(bus_id))) {
      return cudaErrorInvalidValue;
    }
    if (device != 0) return cudaErrorInvalidDevice;
    std::strcpy(text, bus_id);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return api_call([&](Runtime&) {
    if (device == nullptr || text == nullptr) return cudaErrorInvalidValue;
    if (std::strcmp(text, "0000:00:00.0") != 0) return cudaErrorInvalidDevice;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api_call([&](Runtime&) {
    if (least != nullptr) *least = least_stream_priority;
    if (greatest != nullptr) *greatest = greatest_stream_priority;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
  return api_call([&](Runtime&) {
    if (can_access == nullptr) return cudaErrorInvalidValue;
    if (device != 0 || peer != 0) return cudaErrorInvalidDevice;
    *can_access = 0;
    return cudaSuccess;
  });
}

// There is one device, and none is its own peer.
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return api_call([](Runtime&) { return cudaErrorInvalidDevice; });
}

cudaError_t cudaDeviceEnablePeerAccess(int device, unsigned int flags) {
  return api_call([=](Runtime&) {
    if (flags != 0) return cudaErrorInvalidValue;
    return device == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int device) {
  return api_call([=](Runtime&) {
    return device == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return api_call([&](Runtime&) {
    options.flags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return api_call([&](Runtime&) { return give(flags, options.flags | cudaDeviceMapHost); });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return api_call([&](Runtime&) { return give(config, options.cache); });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return api_call([&](Runtime&) {
    options.cache = config;  // a preference; there is no cache to configure
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return api_call([&](Runtime&) { return give(config, cudaSharedMemBankSizeFourByte); });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return api_call([](Runtime&) { return cudaSuccess; });  // fixed on this architecture
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return api_call([&](Runtime& runtime) {
    if (value == nullptr) return cudaErrorInvalidValue;
    switch (limit) {
      case cudaLimitStackSize:
        *value = runtime.settings.stack_bytes;
        return cudaSuccess;
      case cudaLimitPrintfFifoSize:
        *value = runtime.settings.printf_bytes;
        return cudaSuccess;
      case cudaLimitMallocHeapSize:
        *value = limits_set.heap_bytes;
        return cudaSuccess;
      case cudaLimitMaxL2FetchGranularity:
        *value = limits_set.fetch_granularity;
        return cudaSuccess;
      case cudaLimitPersistingL2CacheSize:
        *value = limits_set.persisting_l2_bytes;
        return cudaSuccess;
      default:
        return refuse_limit(limit);
    }
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return api_call([&](Runtime& runtime) {
    constexpr std::size_t most_stack_bytes = 512 * 1024;  // of a thread, CUDA programming guide
    switch (limit) {
      case cudaLimitStackSize:
        if (value > most_stack_bytes) return cudaErrorInvalidValue;
        runtime.settings.stack_bytes = static_cast<std::uint32_t>(value);
        return cudaSuccess;
      case cudaLimitPrintfFifoSize:
        runtime.settings.printf_bytes = value;
        return cudaSuccess;
      case cudaLimitMallocHeapSize:
        limits_set.heap_bytes = value;
        runtime.device().memory().set_heap_bytes(value);
        return cudaSuccess;
      case cudaLimitMaxL2FetchGranularity:
        limits_set.fetch_granularity = value;
        return cudaSuccess;
      // A hint: what is more than the device has is cut to that, as its driver does.
      case cudaLimitPersistingL2CacheSize:
        limits_set.persisting_l2_bytes =
            std::min(value, static_cast<std::size_t>(device_properties().persistingL2CacheMaxSize));
        return cudaSuccess;
      default:
        return refuse_limit(limit);
    }
  });
}

cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget,
                                               cudaFlushGPUDirectRDMAWritesScope) {
  return api_call([](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return api_call([](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaDeviceSynchronize() {
  return api_call([](Runtime& runtime) {
    if (const cudaError_t code = runtime.streams.forbid_in_capture(); code != cudaSuccess) {
      return code;
    }
    ++runtime.counts.host_synchronizations;
    return have_waited(runtime, runtime.streams.synchronize_all());
  });
}

// What an H100 does: variables and limits are as they began, attributes of functions and of pools
// stay.
cudaError_t cudaDeviceReset() {
  Runtime& runtime = Runtime::instance();
  const std::scoped_lock lock(runtime.mutex);
  const cudaError_t code = api_call([](Runtime& of_call) {
    const cudaError_t waited = of_call.streams.synchronize_all();
    of_call.unready_times.reset();
    if (!of_call.errors.has_faulted()) reset_memory(of_call), reset_limits(of_call);
    return waited;
  });
  if (!runtime.errors.has_faulted()) return code;
  runtime.errors.lose_device();
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
  return api_call([&](Runtime&) { return give(version, CUDART_VERSION); });
}

cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaProfilerStart() {
  return api_call([](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
  return api_call([](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaGetLastError() {
  Runtime& runtime = Runtime::instance();
  const std::scoped_lock lock(runtime.mutex);
  const UnreadyTimes::Call apart(runtime.unready_times);
  return runtime.errors.last(true);
}

cudaError_t cudaPeekAtLastError() {
  Runtime& runtime = Runtime::instance();
  const std::scoped_lock lock(runtime.mutex);
  return runtime.errors.last(false);
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind format) {
  return {x, y, z, w, format};
}

const char* cudaGetErrorName(cudaError_t code) { return error_name(code); }

const char* cudaGetErrorString(cudaError_t code) { return error_text(code); }

}  // extern "C"
