// Device state: what a kernel file may set for itself, and what the next launch must not inherit.
#pragma once

#include <cuda_runtime_api.h>

namespace klab::runner {

/// Back to what it was when this was first called: limits, the preferred cache, the attributes of
/// `stream`; and no line of the L2 is kept any longer. Errors: RunnerError.
void restore_device_state(cudaStream_t stream);

}  // namespace klab::runner
