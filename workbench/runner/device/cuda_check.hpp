// Checks of CUDA calls: one that throws, and the translation of a CUDA status into an Error.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>
#include <string>

#include "core/base/result.hpp"

namespace klab::runner {

/// True for statuses after which the context is lost: illegal address, device assert, ...
bool is_device_fault(cudaError_t status);

/// The Error that fits `status`; `doing` completes the sentence "... while <doing>".
Error cuda_error(cudaError_t status, const std::string& doing);

/// Throws RunnerError unless `status` is success.
void check_cuda(cudaError_t status, std::source_location where = std::source_location::current());

/// The same for an allocation of `bytes` of `kind` memory ("device"); too little is said in MiB.
void check_allocation(cudaError_t status, std::size_t bytes, const char* kind);

}  // namespace klab::runner
