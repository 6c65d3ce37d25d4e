// Kernel attributes, names, parameter layout and occupancy.
#include <algorithm>

#include "simulator/runtime/api/api.hpp"
#include "simulator/runtime/state/device.hpp"
#include "simulator/runtime/state/occupancy.hpp"

using namespace klab::sim;

namespace {

/// The resolved kernel of a host function, or the code that says why there is none.
struct Found {
  KernelRecord* record = nullptr;
  cudaError_t code = cudaErrorInvalidDeviceFunction;
};

Found find(Runtime& runtime, const void* function) {
  KernelRecord* record = runtime.modules.find_kernel(function);
  if (record == nullptr) return {};
  return {record, runtime.modules.resolve(*record)};
}

cudaError_t set_attribute(KernelRecord& record, cudaFuncAttribute attribute, int value) {
  const KernelInfo& info = record.kernel->info();
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize: {
      const auto most = static_cast<int>(Device::limits().shared_bytes_per_block) -
                        static_cast<int>(info.static_shared_bytes);
      if (value < 0 || value > most) return cudaErrorInvalidValue;
      record.max_dynamic_shared_bytes = value;
      return cudaSuccess;
    }
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100) return cudaErrorInvalidValue;
      record.preferred_carveout = value;
      return cudaSuccess;
    case cudaFuncAttributeRequiredClusterWidth:
      record.required_cluster[0] = value;
      break;
    case cudaFuncAttributeRequiredClusterHeight:
      record.required_cluster[1] = value;
      break;
    case cudaFuncAttributeRequiredClusterDepth:
      record.required_cluster[2] = value;
      break;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      record.non_portable_cluster = value != 0;
      break;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      record.cluster_policy = value;
      break;
    default:
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaFuncAttributes attributes_of(Runtime& runtime, const KernelRecord& record) {
  const KernelInfo& info = record.kernel->info();
  cudaFuncAttributes a{};
  a.sharedSizeBytes = info.static_shared_bytes;
  a.constSizeBytes = info.constant_bytes;
  a.localSizeBytes = info.local_bytes;
  a.maxThreadsPerBlock = info.max_threads != 0
                             ? static_cast<int>(info.max_threads)
                             : static_cast<int>(Device::limits().threads_per_block);
  if (record.compiled != nullptr) {
    a.numRegs = record.compiled->registers;
    a.localSizeBytes = record.compiled->stack_bytes;
    // As the driver does: the largest multiple of a warp whose registers fit.
    while (a.maxThreadsPerBlock > 32 &&
           block_registers(*record.compiled, static_cast<std::uint64_t>(a.maxThreadsPerBlock)) >
               registers_per_multiprocessor) {
      a.maxThreadsPerBlock -= 32;
    }
  } else {
    runtime.say("Registers of " + readable_name(record.name) +
                " are unknown: this build holds no sm_90 machine code. Build it with nvcc -gencode "
                "arch=compute_90,code=[compute_90,sm_90].");
  }
  a.ptxVersion = record.module->ptx_architecture;
  a.binaryVersion = 90;
  a.maxDynamicSharedSizeBytes = record.max_dynamic_shared_bytes;
  a.preferredShmemCarveout = record.preferred_carveout;
  a.clusterDimMustBeSet = info.explicit_cluster ? 1 : 0;
  const bool stated = info.required_cluster[0] != 0;
  a.requiredClusterWidth =
      stated ? static_cast<int>(info.required_cluster[0]) : record.required_cluster[0];
  a.requiredClusterHeight =
      stated ? static_cast<int>(info.required_cluster[1]) : record.required_cluster[1];
  a.requiredClusterDepth =
      stated ? static_cast<int>(info.required_cluster[2]) : record.required_cluster[2];
  a.nonPortableClusterSizeAllowed = record.non_portable_cluster ? 1 : 0;
  a.clusterSchedulingPolicyPreference = record.cluster_policy;
  return a;
}

unsigned largest_cluster(const KernelRecord& record) {
  const DeviceLimits& limits = Device::limits();
  return record.non_portable_cluster ? limits.blocks_per_large_cluster : limits.blocks_per_cluster;
}

unsigned cluster_blocks(const KernelRecord& record, const cudaLaunchConfig_t& config) {
  unsigned blocks = std::max(1u, record.kernel->info().required_cluster[0]) *
                    std::max(1u, record.kernel->info().required_cluster[1]) *
                    std::max(1u, record.kernel->info().required_cluster[2]);
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    if (config.attrs[i].id != cudaLaunchAttributeClusterDimension) continue;
    const auto& dim = config.attrs[i].val.clusterDim;
    blocks = dim.x * dim.y * dim.z;
  }
  return blocks;
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return api_call([&](Runtime& runtime) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    const Found found = find(runtime, function);
    if (found.code == cudaSuccess) *attributes = attributes_of(runtime, *found.record);
    return found.code;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return api_call([&](Runtime& runtime) {
    const Found found = find(runtime, function);
    if (found.code != cudaSuccess) return found.code;
    return set_attribute(*found.record, attribute, value);
  });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                            int value, int device) {
  if (device != 0) return Errors::record(cudaErrorInvalidDevice);
  const CalledAs outer;
  return cudaFuncSetAttribute(kernel, attribute, value);
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return api_call([&](Runtime& runtime) { return find(runtime, function).code; });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return api_call([&](Runtime& runtime) { return find(runtime, function).code; });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return api_call([&](Runtime& runtime) {
    const KernelRecord* record = runtime.modules.find_kernel(function);
    if (record == nullptr) return cudaErrorInvalidDeviceFunction;
    return give(name, record->name.c_str());
  });
}

cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* size) {
  return api_call([&](Runtime& runtime) {
    const Found found = find(runtime, function);
    if (found.code != cudaSuccess) return found.code;
    const auto& parameters = found.record->kernel->info().parameters;
    if (index >= parameters.size() || offset == nullptr) return cudaErrorInvalidValue;
    *offset = parameters[index].offset_bytes;
    if (size != nullptr) *size = parameters[index].size_bytes;
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int block_threads, size_t shared_bytes, unsigned int flags) {
  return api_call([&](Runtime& runtime) {
    if (blocks == nullptr || block_threads <= 0) return cudaErrorInvalidValue;
    if (flags > cudaOccupancyDisableCachingOverride) return cudaErrorInvalidValue;
    const Found found = find(runtime, function);
    if (found.code == cudaSuccess) {
      *blocks = active_blocks(*found.record, block_threads, shared_bytes);
    }
    return found.code;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int block_threads, size_t shared_bytes) {
  const CalledAs outer;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_threads,
                                                                shared_bytes, cudaOccupancyDefault);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function,
                                                      int blocks, int block_threads) {
  return api_call([&](Runtime& runtime) {
    if (bytes == nullptr || blocks <= 0 || block_threads <= 0) return cudaErrorInvalidValue;
    const Found found = find(runtime, function);
    if (found.code == cudaSuccess) {
      *bytes = available_dynamic_shared_bytes(*found.record, blocks, block_threads);
    }
    return found.code;
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* function,
                                                 const cudaLaunchConfig_t* config) {
  return api_call([&](Runtime& runtime) {
    if (size == nullptr || config == nullptr) return cudaErrorInvalidValue;
    const Found found = find(runtime, function);
    if (found.code == cudaSuccess) *size = static_cast<int>(largest_cluster(*found.record));
    return found.code;
  });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
  return api_call([&](Runtime& runtime) {
    if (clusters == nullptr || config == nullptr) return cudaErrorInvalidValue;
    const Found found = find(runtime, function);
    if (found.code != cudaSuccess) return found.code;
    const unsigned size = cluster_blocks(*found.record, *config);
    if (size == 0 || size > largest_cluster(*found.record)) return cudaErrorInvalidClusterSize;
    const int threads =
        static_cast<int>(config->blockDim.x * config->blockDim.y * config->blockDim.z);
    const int blocks = active_blocks(*found.record, threads, config->dynamicSmemBytes);
    *clusters = blocks * multiprocessors() / static_cast<int>(size);
    return cudaSuccess;
  });
}

}  // extern "C"
