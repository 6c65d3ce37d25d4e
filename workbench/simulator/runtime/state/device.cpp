// Properties and attributes of "simulated sm_90 (no timing)".
#include "simulator/runtime/state/device.hpp"

#include <climits>
#include <cstring>

#include "simulator/runtime/state/occupancy.hpp"
#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {
namespace {

// Architectural limits: CUDA programming guide, technical specifications per compute capability,
// 9.0. Sizes of the chip: an H200 as its driver reports it.
cudaDeviceProp make_properties() {
  cudaDeviceProp p{};
  const DeviceLimits& limits = Device::limits();
  std::strncpy(p.name, "simulated sm_90 (no timing)", sizeof p.name - 1);
  std::memcpy(p.uuid.bytes, "klab-simulated90", sizeof p.uuid.bytes);
  p.major = 9;
  p.minor = 0;
  p.multiProcessorCount = static_cast<int>(limits.multiprocessors);
  p.warpSize = 32;
  p.maxThreadsPerBlock = static_cast<int>(limits.threads_per_block);
  p.maxThreadsPerMultiProcessor = static_cast<int>(limits.threads_per_multiprocessor);
  p.maxBlocksPerMultiProcessor = static_cast<int>(limits.blocks_per_multiprocessor);
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = INT_MAX;
  p.maxGridSize[1] = p.maxGridSize[2] = 65'535;
  p.regsPerBlock = p.regsPerMultiprocessor = static_cast<int>(registers_per_multiprocessor);
  p.sharedMemPerBlock = default_dynamic_shared_bytes;
  p.sharedMemPerBlockOptin = limits.shared_bytes_per_block;
  p.sharedMemPerMultiprocessor = limits.shared_bytes_per_multiprocessor;
  p.reservedSharedMemPerBlock = 1024;
  p.totalConstMem = 64 * 1024;
  p.l2CacheSize = 60 * 1024 * 1024;
  p.memPitch = INT_MAX;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.surfaceAlignment = 512;
  p.concurrentKernels = 1;
  p.asyncEngineCount = 3;
  p.unifiedAddressing = 1;
  p.canMapHostMemory = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.hostRegisterSupported = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.computePreemptionSupported = 1;
  p.cooperativeLaunch = 1;
  p.clusterLaunch = 1;
  p.memoryPoolsSupported = 1;
  p.hostNumaId = -1;
  return p;
}

}  // namespace

const cudaDeviceProp& device_properties() {
  static cudaDeviceProp properties = make_properties();
  properties.totalGlobalMem = Runtime::instance().memory_limit_bytes();
  return properties;
}

std::optional<int> device_attribute(cudaDeviceAttr attribute) {
  const cudaDeviceProp& p = device_properties();
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX:
      return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY:
      return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ:
      return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX:
      return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY:
      return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ:
      return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return static_cast<int>(p.sharedMemPerBlock);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return static_cast<int>(p.sharedMemPerBlockOptin);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return static_cast<int>(p.sharedMemPerMultiprocessor);
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return static_cast<int>(p.reservedSharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory:
      return static_cast<int>(p.totalConstMem);
    case cudaDevAttrWarpSize:
      return p.warpSize;
    case cudaDevAttrMaxPitch:
      return static_cast<int>(p.memPitch);
    case cudaDevAttrMaxRegistersPerBlock:
      return p.regsPerBlock;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return p.regsPerMultiprocessor;
    case cudaDevAttrTextureAlignment:
      return static_cast<int>(p.textureAlignment);
    case cudaDevAttrTexturePitchAlignment:
      return static_cast<int>(p.texturePitchAlignment);
    case cudaDevAttrSurfaceAlignment:
      return static_cast<int>(p.surfaceAlignment);
    case cudaDevAttrGpuOverlap:
      return 1;
    case cudaDevAttrMultiProcessorCount:
      return p.multiProcessorCount;
    case cudaDevAttrKernelExecTimeout:
      return 0;
    case cudaDevAttrIntegrated:
      return 0;
    case cudaDevAttrCanMapHostMemory:
      return p.canMapHostMemory;
    case cudaDevAttrComputeMode:
      return cudaComputeModeDefault;
    case cudaDevAttrConcurrentKernels:
      return p.concurrentKernels;
    case cudaDevAttrEccEnabled:
      return 0;
    case cudaDevAttrPciBusId:
    case cudaDevAttrPciDeviceId:
    case cudaDevAttrPciDomainId:
      return 0;
    case cudaDevAttrTccDriver:
      return 0;
    case cudaDevAttrL2CacheSize:
      return p.l2CacheSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrAsyncEngineCount:
      return p.asyncEngineCount;
    case cudaDevAttrUnifiedAddressing:
      return p.unifiedAddressing;
    case cudaDevAttrComputeCapabilityMajor:
      return p.major;
    case cudaDevAttrComputeCapabilityMinor:
      return p.minor;
    case cudaDevAttrStreamPrioritiesSupported:
      return p.streamPrioritiesSupported;
    case cudaDevAttrGlobalL1CacheSupported:
      return p.globalL1CacheSupported;
    case cudaDevAttrLocalL1CacheSupported:
      return p.localL1CacheSupported;
    case cudaDevAttrManagedMemory:
      return p.managedMemory;
    case cudaDevAttrConcurrentManagedAccess:
      return p.concurrentManagedAccess;
    case cudaDevAttrIsMultiGpuBoard:
      return 0;
    case cudaDevAttrMultiGpuBoardGroupID:
      return 0;
    case cudaDevAttrHostNativeAtomicSupported:
      return 0;
    case cudaDevAttrPageableMemoryAccess:
      return 0;
    case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
      return 0;
    case cudaDevAttrDirectManagedMemAccessFromHost:
      return 0;
    case cudaDevAttrComputePreemptionSupported:
      return p.computePreemptionSupported;
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
      return p.canUseHostPointerForRegisteredMem;
    case cudaDevAttrHostRegisterSupported:
      return p.hostRegisterSupported;
    case cudaDevAttrHostRegisterReadOnlySupported:
      return 0;
    case cudaDevAttrCooperativeLaunch:
      return p.cooperativeLaunch;
    case cudaDevAttrClusterLaunch:
      return p.clusterLaunch;
    case cudaDevAttrMemoryPoolsSupported:
      return p.memoryPoolsSupported;
    case cudaDevAttrMemoryPoolSupportedHandleTypes:
      return 0;
    case cudaDevAttrMaxPersistingL2CacheSize:
      return 0;
    case cudaDevAttrMaxAccessPolicyWindowSize:
      return 0;
    case cudaDevAttrSparseCudaArraySupported:
    case cudaDevAttrDeferredMappingCudaArraySupported:
    case cudaDevAttrTimelineSemaphoreInteropSupported:
    case cudaDevAttrGPUDirectRDMASupported:
    case cudaDevAttrGPUDirectRDMAFlushWritesOptions:
    case cudaDevAttrGPUDirectRDMAWritesOrdering:
    case cudaDevAttrIpcEventSupport:
    case cudaDevAttrCanFlushRemoteWrites:
    case cudaDevAttrMpsEnabled:
    case cudaDevAttrNumaConfig:
    case cudaDevAttrHostNumaMemoryPoolsSupported:
    case cudaDevAttrHostNumaMultinodeIpcSupported:
    case cudaDevAttrHostMemoryPoolsSupported:
      return 0;
    case cudaDevAttrNumaId:
    case cudaDevAttrHostNumaId:
      return -1;
    case cudaDevAttrMemSyncDomainCount:
      return 1;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return 2;
    case cudaDevAttrReserved92:
    case cudaDevAttrReserved93:
    case cudaDevAttrReserved94:
    case cudaDevAttrReserved96:
    case cudaDevAttrReserved122:
    case cudaDevAttrReserved123:
    case cudaDevAttrReserved124:
    case cudaDevAttrReserved127:
    case cudaDevAttrReserved128:
    case cudaDevAttrReserved129:
    case cudaDevAttrReserved132:
    case cudaDevAttrReserved141:
    case cudaDevAttrReserved145:
      return std::nullopt;
    default:  // clocks, bandwidth, textures, surfaces, graphics: there are none
      return attribute > 0 && attribute < cudaDevAttrMax ? std::optional(0) : std::nullopt;
  }
}

}  // namespace klab::sim
