// Which CUDA status means what to a learner.
#include "runner/device/cuda_check.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "runner/device/runner_error.hpp"

namespace klab::runner {
namespace {

constexpr std::array device_faults = {
    cudaErrorIllegalAddress,     cudaErrorMisalignedAddress, cudaErrorAssert,
    cudaErrorIllegalInstruction, cudaErrorInvalidPc,         cudaErrorHardwareStackError,
    cudaErrorLaunchFailure,      cudaErrorLaunchTimeout,     cudaErrorInvalidAddressSpace,
    cudaErrorTensorMemoryLeak,   cudaErrorExternalDevice,
};

ErrorCode code_of(cudaError_t status) {
  if (is_device_fault(status)) return ErrorCode::device_fault;
  switch (status) {
    case cudaErrorNoDevice:
    case cudaErrorStubLibrary:
    case cudaErrorDevicesUnavailable:
    case cudaErrorSystemNotReady:
      return ErrorCode::no_device;
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
      return ErrorCode::driver_too_old;
    case cudaErrorMemoryAllocation:
      return ErrorCode::out_of_memory;
    case cudaErrorNotSupported:
    case cudaErrorUnsupportedPtxVersion:
      return ErrorCode::unsupported;
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidValue:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidKernelImage:
    case cudaErrorCooperativeLaunchTooLarge:
    case cudaErrorInvalidClusterSize:
    case cudaErrorInvalidResourceHandle:
      return ErrorCode::launch_failed;
    default:
      return ErrorCode::runner_failed;
  }
}

}  // namespace

bool is_device_fault(cudaError_t status) {
  return std::find(device_faults.begin(), device_faults.end(), status) != device_faults.end();
}

Error cuda_error(cudaError_t status, const std::string& doing) {
  return make_error(code_of(status), std::string(cudaGetErrorString(status)) + " (" +
                                         cudaGetErrorName(status) + ") while " + doing + ".");
}

void check_cuda(cudaError_t status, std::source_location where) {
  if (status == cudaSuccess) return;
  std::string_view file = where.file_name();
  file.remove_prefix(file.find_last_of('/') + 1);  // npos + 1 is 0: a bare name stays whole
  throw RunnerError(cuda_error(status, "running " + std::string(where.function_name()) + " (" +
                                           std::string(file) + ":" + std::to_string(where.line()) +
                                           ")"));
}

void check_allocation(cudaError_t status, std::size_t bytes, const char* kind) {
  if (status != cudaErrorMemoryAllocation) return check_cuda(status);
  cudaGetLastError();  // this error stays otherwise, and would be taken for a launch's
  throw RunnerError(make_error(ErrorCode::out_of_memory, "There is no room for " +
                                                             std::to_string((bytes >> 20) + 1) +
                                                             " MiB of " + kind + " memory."));
}

}  // namespace klab::runner
