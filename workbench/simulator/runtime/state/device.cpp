// Properties and attributes of "simulated sm_90 (no timing)".
#include "simulator/runtime/state/device.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <iterator>
#include <span>
#include <string_view>

#include "simulator/runtime/state/occupancy.hpp"
#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {
namespace {

constexpr std::string_view own_name = "simulated sm_90 (no timing)";

// Of the textures and surfaces that exist here: no mipmaps, cubes or gathers.
void describe_textures(cudaDeviceProp& p) {
  const auto set = [](auto& to, std::initializer_list<int> values) {
    std::copy(values.begin(), values.end(), to);
  };
  p.maxTexture1D = 131'072;
  p.maxSurface1D = 32'768;
  set(p.maxTexture2D, {131'072, 65'536});
  set(p.maxSurface2D, {131'072, 65'536});
  set(p.maxTexture2DLinear, {131'072, 65'000, 2'097'120});
  for (auto* cube : {p.maxTexture3D, p.maxSurface3D}) std::fill_n(cube, 3, 16'384);
  for (auto* layered : {p.maxTexture1DLayered, p.maxSurface1DLayered})
    layered[0] = 32'768, layered[1] = 2048;
  for (auto* layered : {p.maxTexture2DLayered, p.maxSurface2DLayered})
    layered[0] = layered[1] = 32'768, layered[2] = 2048;
}

// Architectural limits: CUDA programming guide, technical specifications per compute capability,
// 9.0. Sizes of the chip: an H200 as its driver reports it.
cudaDeviceProp make_properties() {
  cudaDeviceProp p{};
  const DeviceLimits& limits = Device::limits();
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
  p.persistingL2CacheMaxSize = p.l2CacheSize / 8 * 5;
  p.accessPolicyMaxWindowSize = 128 * 1024 * 1024;
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
  describe_textures(p);
  return p;
}

/// Attributes that are a field of the properties.
template <class Value>
struct AttributeField {
  cudaDeviceAttr attribute;
  Value cudaDeviceProp::*field;
};
constexpr AttributeField<int> numbers[] = {
    {cudaDevAttrMaxThreadsPerBlock, &cudaDeviceProp::maxThreadsPerBlock},
    {cudaDevAttrWarpSize, &cudaDeviceProp::warpSize},
    {cudaDevAttrMaxRegistersPerBlock, &cudaDeviceProp::regsPerBlock},
    {cudaDevAttrMaxRegistersPerMultiprocessor, &cudaDeviceProp::regsPerMultiprocessor},
    {cudaDevAttrMultiProcessorCount, &cudaDeviceProp::multiProcessorCount},
    {cudaDevAttrCanMapHostMemory, &cudaDeviceProp::canMapHostMemory},
    {cudaDevAttrConcurrentKernels, &cudaDeviceProp::concurrentKernels},
    {cudaDevAttrL2CacheSize, &cudaDeviceProp::l2CacheSize},
    {cudaDevAttrMaxPersistingL2CacheSize, &cudaDeviceProp::persistingL2CacheMaxSize},
    {cudaDevAttrMaxAccessPolicyWindowSize, &cudaDeviceProp::accessPolicyMaxWindowSize},
    {cudaDevAttrMaxThreadsPerMultiProcessor, &cudaDeviceProp::maxThreadsPerMultiProcessor},
    {cudaDevAttrMaxBlocksPerMultiprocessor, &cudaDeviceProp::maxBlocksPerMultiProcessor},
    {cudaDevAttrAsyncEngineCount, &cudaDeviceProp::asyncEngineCount},
    {cudaDevAttrUnifiedAddressing, &cudaDeviceProp::unifiedAddressing},
    {cudaDevAttrComputeCapabilityMajor, &cudaDeviceProp::major},
    {cudaDevAttrComputeCapabilityMinor, &cudaDeviceProp::minor},
    {cudaDevAttrStreamPrioritiesSupported, &cudaDeviceProp::streamPrioritiesSupported},
    {cudaDevAttrGlobalL1CacheSupported, &cudaDeviceProp::globalL1CacheSupported},
    {cudaDevAttrLocalL1CacheSupported, &cudaDeviceProp::localL1CacheSupported},
    {cudaDevAttrManagedMemory, &cudaDeviceProp::managedMemory},
    {cudaDevAttrConcurrentManagedAccess, &cudaDeviceProp::concurrentManagedAccess},
    {cudaDevAttrComputePreemptionSupported, &cudaDeviceProp::computePreemptionSupported},
    {cudaDevAttrCanUseHostPointerForRegisteredMem,
     &cudaDeviceProp::canUseHostPointerForRegisteredMem},
    {cudaDevAttrHostRegisterSupported, &cudaDeviceProp::hostRegisterSupported},
    {cudaDevAttrCooperativeLaunch, &cudaDeviceProp::cooperativeLaunch},
    {cudaDevAttrClusterLaunch, &cudaDeviceProp::clusterLaunch},
    {cudaDevAttrMemoryPoolsSupported, &cudaDeviceProp::memoryPoolsSupported},
};
constexpr AttributeField<std::size_t> sizes[] = {
    {cudaDevAttrMaxSharedMemoryPerBlock, &cudaDeviceProp::sharedMemPerBlock},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, &cudaDeviceProp::sharedMemPerBlockOptin},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, &cudaDeviceProp::sharedMemPerMultiprocessor},
    {cudaDevAttrReservedSharedMemoryPerBlock, &cudaDeviceProp::reservedSharedMemPerBlock},
    {cudaDevAttrTotalConstantMemory, &cudaDeviceProp::totalConstMem},
    {cudaDevAttrMaxPitch, &cudaDeviceProp::memPitch},
    {cudaDevAttrTextureAlignment, &cudaDeviceProp::textureAlignment},
    {cudaDevAttrTexturePitchAlignment, &cudaDeviceProp::texturePitchAlignment},
    {cudaDevAttrSurfaceAlignment, &cudaDeviceProp::surfaceAlignment},
};

/// Numbers that no attribute has.
constexpr cudaDeviceAttr reserved[] = {
    cudaDevAttrReserved92,  cudaDevAttrReserved93,  cudaDevAttrReserved94,  cudaDevAttrReserved96,
    cudaDevAttrReserved122, cudaDevAttrReserved123, cudaDevAttrReserved124, cudaDevAttrReserved127,
    cudaDevAttrReserved128, cudaDevAttrReserved129, cudaDevAttrReserved132, cudaDevAttrReserved141,
    cudaDevAttrReserved145,
};

template <class Value>
std::optional<int> field_in(std::span<const AttributeField<Value>> fields,
                            const cudaDeviceProp& properties, cudaDeviceAttr attribute) {
  for (const auto& entry : fields)
    if (entry.attribute == attribute) return static_cast<int>(properties.*entry.field);
  return std::nullopt;
}

/// Attributes that are numbered one after the other, as a field of several numbers.
std::optional<int> texture_attribute(const cudaDeviceProp& p, cudaDeviceAttr attribute) {
  const struct {
    cudaDeviceAttr first;
    std::span<const int> values;
  } fields[] = {
      {cudaDevAttrMaxTexture1DWidth, {&p.maxTexture1D, 1}},
      {cudaDevAttrMaxTexture2DWidth, p.maxTexture2D},
      {cudaDevAttrMaxTexture3DWidth, p.maxTexture3D},
      {cudaDevAttrMaxTexture2DLayeredWidth, p.maxTexture2DLayered},
      {cudaDevAttrMaxTexture1DLayeredWidth, p.maxTexture1DLayered},
      {cudaDevAttrMaxTexture2DLinearWidth, p.maxTexture2DLinear},
      {cudaDevAttrMaxSurface1DWidth, {&p.maxSurface1D, 1}},
      {cudaDevAttrMaxSurface2DWidth, p.maxSurface2D},
      {cudaDevAttrMaxSurface3DWidth, p.maxSurface3D},
      {cudaDevAttrMaxSurface1DLayeredWidth, p.maxSurface1DLayered},
      {cudaDevAttrMaxSurface2DLayeredWidth, p.maxSurface2DLayered},
  };
  for (const auto& field : fields)
    if (attribute >= field.first && attribute - field.first < std::ssize(field.values))
      return field.values[static_cast<std::size_t>(attribute - field.first)];
  return std::nullopt;
}

}  // namespace

bool stands_for_another() { return !Runtime::instance().settings.device_name.empty(); }

int multiprocessors() {
  const std::uint32_t said = Runtime::instance().settings.multiprocessors;
  return static_cast<int>(said > 0 ? said : Device::limits().multiprocessors);
}

const cudaDeviceProp& device_properties() {
  static const cudaDeviceProp whole = make_properties();
  static cudaDeviceProp properties = whole;
  const Runtime& runtime = Runtime::instance();
  properties.multiProcessorCount = multiprocessors();
  // Compute capabilities 8.6, 8.9 and 12.0 have room for so many, and theirs are the small devices.
  constexpr int threads_of_small_ones = 1536;
  const bool is_small = properties.multiProcessorCount < whole.multiProcessorCount;
  properties.maxThreadsPerMultiProcessor =
      is_small ? threads_of_small_ones : whole.maxThreadsPerMultiProcessor;
  const auto in_proportion = [&](int bytes) {
    return static_cast<int>(std::int64_t{bytes} * properties.multiProcessorCount /
                            whole.multiProcessorCount);
  };
  properties.l2CacheSize = in_proportion(whole.l2CacheSize);
  properties.persistingL2CacheMaxSize = in_proportion(whole.persistingL2CacheMaxSize);
  const std::uint64_t said = runtime.settings.device_bytes;
  properties.totalGlobalMem = said > 0 ? said : runtime.memory_limit_bytes();
  std::string_view name = runtime.settings.device_name;
  if (name.empty()) name = own_name;
  std::memset(properties.name, 0, sizeof properties.name);
  name.copy(properties.name, sizeof properties.name - 1);
  return properties;
}

std::optional<int> device_attribute(cudaDeviceAttr attribute) {
  const cudaDeviceProp& p = device_properties();
  if (const auto found = field_in<int>(numbers, p, attribute)) return found;
  if (const auto found = field_in<std::size_t>(sizes, p, attribute)) return found;
  if (const auto found = texture_attribute(p, attribute)) return found;
  switch (attribute) {
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
    case cudaDevAttrMaxBlockDimZ:
      return p.maxThreadsDim[attribute - cudaDevAttrMaxBlockDimX];
    case cudaDevAttrMaxGridDimX:
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
      return p.maxGridSize[attribute - cudaDevAttrMaxGridDimX];
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrMemSyncDomainCount:
      return 1;
    case cudaDevAttrNumaId:
    case cudaDevAttrHostNumaId:
      return -1;
    case cudaDevAttrMaxTexture1DLinearWidth:
      return static_cast<int>(most_linear_texels);
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return 2;
    // Of a device that stands for a real one: an H200's, as its driver reports them.
    case cudaDevAttrClockRate:
      return stands_for_another() ? 1'980'000 : 0;
    case cudaDevAttrMemoryClockRate:
      return stands_for_another() ? 3'201'000 : 0;
    case cudaDevAttrGlobalMemoryBusWidth:
      return stands_for_another() ? 6144 : 0;
    default:  // clocks, mipmaps, graphics, sharing between processes: there is none of it
      break;
  }
  const bool known =
      attribute > 0 && attribute < cudaDevAttrMax &&
      std::find(std::begin(reserved), std::end(reserved), attribute) == std::end(reserved);
  return known ? std::optional(0) : std::nullopt;
}

}  // namespace klab::sim
