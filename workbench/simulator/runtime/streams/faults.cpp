// Faults of kernels as the runtime tells them.
#include "simulator/runtime/streams/faults.hpp"

#include <algorithm>
#include <cctype>

#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {

cudaError_t error_of(FaultCode code) {
  switch (code) {
    case FaultCode::invalid_configuration:
      return cudaErrorInvalidConfiguration;
    case FaultCode::unsupported:
      return cudaErrorNotSupported;
    case FaultCode::malformed:
      return cudaErrorInvalidPtx;
    case FaultCode::out_of_memory:
      return cudaErrorMemoryAllocation;
    case FaultCode::illegal_address:
      return cudaErrorIllegalAddress;
    case FaultCode::misaligned_address:
      return cudaErrorMisalignedAddress;
    case FaultCode::assertion:
      return cudaErrorAssert;
    case FaultCode::trap:
      return cudaErrorLaunchFailure;
    case FaultCode::stack_overflow:
      return cudaErrorHardwareStackError;
    case FaultCode::barrier_deadlock:
    case FaultCode::budget_exhausted:
    case FaultCode::cancelled:
      return cudaErrorLaunchTimeout;
  }
  return cudaErrorLaunchFailure;
}

bool is_refusal(FaultCode code) {
  return code == FaultCode::invalid_configuration || code == FaultCode::unsupported ||
         code == FaultCode::malformed || code == FaultCode::out_of_memory;
}

bool is_told_of(const Fault& fault, const std::vector<Finding>& findings) {
  if (fault.code == FaultCode::budget_exhausted || fault.code == FaultCode::cancelled) return false;
  if (fault.code != FaultCode::barrier_deadlock) return !findings.empty();
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& one) { return one.kind == FindingKind::grid_deadlock; });
}

std::string readable_message(const std::string& message) {
  std::string out;
  for (std::size_t at = 0; at < message.size();) {
    const auto ends = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '$';
    };
    const auto begin = message.begin() + static_cast<std::ptrdiff_t>(at);
    const std::string word(begin, std::find_if(begin, message.end(), ends));
    out += word.starts_with("_Z") ? brief_name(word) : word;
    at += word.size();
    if (at < message.size()) out += message[at++];
  }
  return out;
}

}  // namespace klab::sim
