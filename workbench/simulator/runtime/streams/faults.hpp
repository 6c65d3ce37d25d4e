// Faults of kernels as the runtime tells them.
#pragma once
#include <driver_types.h>

#include <string>
#include <vector>

#include "simulator/execute/launch.hpp"

namespace klab::sim {

/// What the launch's call, or whoever waits for it, is answered.
cudaError_t error_of(FaultCode code);

/// A fault before the first instruction leaves the context usable.
bool is_refusal(FaultCode code);

/// Whether one of the findings is of the fault itself: an access that went wrong, an assertion.
bool is_told_of(const Fault& fault, const std::vector<Finding>& findings);

/// A message that names kernels and functions by their symbols, naming them as the source does.
std::string readable_message(const std::string& message);

}  // namespace klab::sim
