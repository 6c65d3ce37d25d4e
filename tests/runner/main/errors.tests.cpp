// CUDA's and CUPTI's statuses as sentences with a remedy.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "runner/cupti/check.hpp"
#include "runner/device/cuda_check.hpp"
#include "runner/device/runner_error.hpp"

using namespace klab;
using namespace klab::runner;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a CUDA status becomes the error a learner can act on", "[runner][errors]") {
  using Row = std::pair<cudaError_t, ErrorCode>;
  const auto [status, code] =
      GENERATE(Row{cudaErrorIllegalAddress, ErrorCode::device_fault},
               Row{cudaErrorMisalignedAddress, ErrorCode::device_fault},
               Row{cudaErrorAssert, ErrorCode::device_fault},
               Row{cudaErrorMemoryAllocation, ErrorCode::out_of_memory},
               Row{cudaErrorNoDevice, ErrorCode::no_device},
               Row{cudaErrorInsufficientDriver, ErrorCode::driver_too_old},
               Row{cudaErrorInvalidConfiguration, ErrorCode::launch_failed},
               Row{cudaErrorLaunchOutOfResources, ErrorCode::launch_failed},
               Row{cudaErrorNoKernelImageForDevice, ErrorCode::launch_failed},
               Row{cudaErrorNotSupported, ErrorCode::unsupported});
  const Error error = cuda_error(status, "testing");
  CHECK(error.code == code);
  CHECK(is_device_fault(status) == (code == ErrorCode::device_fault));
  CHECK_THAT(error.what, ContainsSubstring(cudaGetErrorName(status)));
  CHECK_THAT(error.what, ContainsSubstring("while testing"));
  CHECK_FALSE(error.remedy.empty());
}

TEST_CASE("a failing CUDA call is thrown with its place", "[runner][errors]") {
  CHECK_NOTHROW(check_cuda(cudaSuccess));
  try {
    check_cuda(cudaErrorMemoryAllocation);
    FAIL("nothing was thrown");
  } catch (const RunnerError& failure) {
    CHECK(failure.error().code == ErrorCode::out_of_memory);
    CHECK_THAT(failure.error().what, ContainsSubstring("errors.tests.cpp:"));
  }
}

TEST_CASE("each reason for refused counters has its code and remedy", "[runner][errors]") {
  using Row = std::pair<CUptiResult, ErrorCode>;
  const auto [status, code] = GENERATE(
      Row{CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, ErrorCode::profiler_denied},
      Row{CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, ErrorCode::profiler_denied},
      Row{CUPTI_ERROR_HARDWARE_BUSY, ErrorCode::profiler_busy},
      Row{CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, ErrorCode::profiler_attached},
      Row{CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, ErrorCode::profiler_unsupported},
      Row{CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, ErrorCode::profiler_unsupported},
      Row{CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, ErrorCode::profiler_unsupported},
      Row{CUPTI_ERROR_INVALID_OPERATION, ErrorCode::runner_failed});
  const Error error = cupti_error(status, "cuptiTest");
  CHECK(error.code == code);
  CHECK_THAT(error.what + error.detail, ContainsSubstring("cuptiTest"));
  CHECK_FALSE(error.remedy.empty());
}

TEST_CASE("denied counters come with the exact remedy for the host", "[runner][errors]") {
  const Error error = cupti_error(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "cuptiTest");
  CHECK_THAT(shell_words(error.remedy), ContainsSubstring("NVreg_RestrictProfilingToAdminUsers=0"));
  CHECK_THAT(shell_words(error.remedy), ContainsSubstring("SYS_ADMIN"));
}
