// Device facts, and the two ways in which there is no device: no driver, or one that is too old.
#include "runner/phases/device_facts.hpp"

#include <cuda_runtime_api.h>

#include "runner/device/cuda_check.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/phases/platform.hpp"

namespace klab::runner {
namespace {

/// "13.0" for 13000.
std::string dotted(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// " (cudaErrorOperatingSystem)", where it is no more than that there is none.
std::string why(cudaError_t status) {
  if (status == cudaSuccess || status == cudaErrorNoDevice) return {};
  return std::string(" (") + cudaGetErrorName(status) + ")";
}

void require_device() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return;
  // Without any driver the runtime says "insufficient driver" and reports driver version 0.
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  if (status == cudaErrorInsufficientDriver && driver > 0)
    throw RunnerError(make_error(ErrorCode::driver_too_old,
                                 "The driver supports CUDA " + dotted(driver) +
                                     ", but this build needs CUDA " + dotted(runtime) + "."));
  throw RunnerError(driver == 0
                        ? no_driver()
                        : make_error(ErrorCode::no_device,
                                     "The driver reports no CUDA device" + why(status) + "."));
}

}  // namespace

DeviceFacts device_facts(Phase phase) {
  require_device();
  int device = 0;
  cudaDeviceProp properties{};
  check_cuda(cudaGetDevice(&device));
  check_cuda(cudaGetDeviceProperties(&properties, device));
  int runtime = 0;
  check_cuda(cudaRuntimeGetVersion(&runtime));

  DeviceFacts facts;
  facts.name = properties.name;
  facts.compute_capability = ComputeCapability(properties.major, properties.minor);
  facts.toolkit = dotted(runtime);
  facts.multiprocessors = properties.multiProcessorCount;
  facts.l2_bytes = properties.l2CacheSize;
  facts.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  facts.shared_per_multiprocessor_bytes =
      static_cast<std::int64_t>(properties.sharedMemPerMultiprocessor);
  facts.registers_per_multiprocessor = properties.regsPerMultiprocessor;
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) == cudaSuccess) facts.gpus = gpus;
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  if (cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess)
    facts.memory_free_bytes = static_cast<std::int64_t>(free_bytes);
  add_platform_facts(facts, phase);
  return facts;
}

}  // namespace klab::runner
