// CUPTI statuses as sentences (CUPTI documentation, CUptiResult).
#include "runner/cupti/check.hpp"

#include <string>

#include <cupti.h>

#include "runner/device/runner_error.hpp"

namespace klab::runner {
namespace {

struct Meaning {
  ErrorCode code;
  const char* what;
  const char* remedy;  ///< empty: the code's own
};

Meaning meaning_of(CUptiResult status) {
  switch (status) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return {ErrorCode::profiler_denied,
              "The driver keeps hardware counters for administrators (CUPTI error 35).", ""};
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return {ErrorCode::profiler_denied,
              "The virtual GPU's host keeps hardware counters closed (CUPTI error 40).",
              "Ask whoever runs the host to open the virtual GPU's counters; the other gates go on "
              "without them."};
    case CUPTI_ERROR_HARDWARE_BUSY:
      return {ErrorCode::profiler_busy,
              "Another program holds the hardware counters (CUPTI error 26).", ""};
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return {ErrorCode::profiler_attached,
              "An external profiler or debugger is attached to this process (CUPTI error 39).", ""};
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
      return {ErrorCode::profiler_unsupported, "This virtual GPU has no hardware counters.", ""};
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
      return {ErrorCode::profiler_unsupported,
              "Confidential computing is on, and hides the hardware counters.", ""};
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
      return {ErrorCode::profiler_unsupported, "Mining processors have no hardware counters.", ""};
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
      return {ErrorCode::profiler_unsupported,
              "This slice of a partitioned GPU (MIG) has no hardware counters.", ""};
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
      return {ErrorCode::profiler_unsupported, "GPUs linked by SLI have no hardware counters.", ""};
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
      return {ErrorCode::profiler_unsupported,
              "Under Windows Subsystem for Linux, hardware counters are switched off.",
              "Allow GPU performance counters in the NVIDIA Control Panel on Windows; the other "
              "gates go on without them."};
    case CUPTI_ERROR_NOT_SUPPORTED:
    case CUPTI_ERROR_INVALID_CHIP_NAME:
    case CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED:
      return {ErrorCode::profiler_unsupported,
              "CUPTI of this toolkit does not support the device's counters.", ""};
    default:
      return {ErrorCode::runner_failed, "", ""};
  }
}

}  // namespace

Error cupti_error(CUptiResult status, const char* call) {
  const Meaning meaning = meaning_of(status);
  const char* text = nullptr;
  cuptiGetResultString(status, &text);
  const std::string detail = std::string(call) + ": " + (text ? text : "CUPTI error") + " (" +
                             std::to_string(status) + ")";
  if (meaning.code == ErrorCode::runner_failed)
    return make_error(meaning.code, "CUPTI refused " + detail + ".");
  return make_error(meaning.code, meaning.what, meaning.remedy, detail);
}

void check_cupti(CUptiResult status, const char* call) {
  if (status != CUPTI_SUCCESS) throw RunnerError(cupti_error(status, call));
}

}  // namespace klab::runner
