// The current context and the support of a device, in words (CUPTI documentation,
// "cuptiProfilerDeviceSupported").
#include "runner/cupti/device.hpp"

#include <cuda_runtime_api.h>

#include "runner/cupti/check.hpp"
#include "runner/device/cuda_check.hpp"
#include "runner/device/runner_error.hpp"

namespace klab::runner {
namespace {

Error no_counters(const char* what) { return make_error(ErrorCode::profiler_unsupported, what); }

}  // namespace

CUcontext current_context() {
  check_cuda(cudaFree(nullptr));
  constexpr unsigned introduced = 4000;  // cuCtxGetCurrent came with CUDA 4.0
  void* function = nullptr;
  check_cuda(cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &function, introduced,
                                              cudaEnableDefault, nullptr));
  CUcontext context = nullptr;
  if (!function || reinterpret_cast<decltype(&cuCtxGetCurrent)>(function)(&context) != CUDA_SUCCESS)
    throw RunnerError(make_error(ErrorCode::runner_failed, "The driver names no current context."));
  return context;
}

void require_profiler(int device, CUpti_Profiler_API api) {
  CUpti_Profiler_DeviceSupported_Params support = {
      CUpti_Profiler_DeviceSupported_Params_STRUCT_SIZE};
  support.cuDevice = device;
  support.api = api;
  check_cupti(cuptiProfilerDeviceSupported(&support), "cuptiProfilerDeviceSupported");
  if (support.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED) return;
  const auto lacks = [](CUpti_Profiler_Support_Level level) {
    return level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
           level == CUPTI_PROFILER_CONFIGURATION_DISABLED;
  };
  if (lacks(support.architecture))
    throw RunnerError(no_counters("CUPTI of this toolkit does not support this GPU's counters."));
  if (lacks(support.vGpu)) throw RunnerError(no_counters("This virtual GPU has no counters."));
  if (lacks(support.confidentialCompute))
    throw RunnerError(no_counters("Confidential computing is on, and hides the counters."));
  if (lacks(support.cmp)) throw RunnerError(no_counters("Mining processors have no counters."));
  if (lacks(support.sli)) throw RunnerError(no_counters("GPUs linked by SLI have no counters."));
  if (lacks(support.wsl))
    throw RunnerError(
        cupti_error(CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, "cuptiProfilerDeviceSupported"));
  throw RunnerError(no_counters("CUPTI reports this device as unsupported and gives no reason."));
}

}  // namespace klab::runner
