// Feeds kernel facts into cuda_occupancy.h.
#include "simulator/runtime/state/occupancy.hpp"

#include <cuda_occupancy.h>

#include "simulator/runtime/state/device.hpp"

namespace klab::sim {
namespace {

constexpr std::uint64_t warp_threads = 32;
constexpr std::uint64_t register_unit = 256;

cudaOccFuncAttributes attributes_of(const KernelRecord& record) {
  const KernelInfo& info = record.kernel->info();
  cudaOccFuncAttributes attributes;
  const int most = device_properties().maxThreadsPerBlock;
  attributes.maxThreadsPerBlock = info.max_threads != 0 ? static_cast<int>(info.max_threads) : most;
  if (record.compiled != nullptr) attributes.numRegs = record.compiled->registers;
  attributes.sharedSizeBytes = info.static_shared_bytes;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = static_cast<std::size_t>(record.max_dynamic_shared_bytes);
  attributes.numBlockBarriers = 1;
  return attributes;
}

cudaOccDeviceState state_of(const KernelRecord& record) {
  cudaOccDeviceState state;
  state.carveoutConfig = record.preferred_carveout;
  return state;
}

}  // namespace

std::uint64_t block_registers(const CompiledKernel& kernel, std::uint64_t threads) {
  const std::uint64_t warps = (threads + warp_threads - 1) / warp_threads;
  const std::uint64_t of_warp = static_cast<std::uint64_t>(kernel.registers) * warp_threads;
  return warps * ((of_warp + register_unit - 1) / register_unit * register_unit);
}

int active_blocks(const KernelRecord& record, int block_threads, std::size_t dynamic_shared_bytes) {
  const cudaOccDeviceProp properties = device_properties();
  const cudaOccFuncAttributes attributes = attributes_of(record);
  const cudaOccDeviceState state = state_of(record);
  cudaOccResult result;
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state,
                                              block_threads,
                                              dynamic_shared_bytes) != CUDA_OCC_SUCCESS) {
    return 0;
  }
  return result.activeBlocksPerMultiprocessor;
}

std::size_t available_dynamic_shared_bytes(const KernelRecord& record, int blocks,
                                           int block_threads) {
  const cudaOccDeviceProp properties = device_properties();
  const cudaOccFuncAttributes attributes = attributes_of(record);
  const cudaOccDeviceState state = state_of(record);
  std::size_t bytes = 0;
  if (cudaOccAvailableDynamicSMemPerBlock(&bytes, &properties, &attributes, &state, blocks,
                                          block_threads) != CUDA_OCC_SUCCESS) {
    return 0;
  }
  return bytes;
}

}  // namespace klab::sim
