// Device state: what a kernel file may set for itself, and what the next launch must not inherit.
#pragma once

#include <cuda_runtime_api.h>

namespace klab::runner {

/// Makes `device` current, and what it was when this was first called for it: limits, the preferred
/// cache, the attributes of its `stream`, but for a larger stack; and no line of the L2 is kept any
/// longer. Errors: RunnerError.
void restore_device_state(int device, cudaStream_t stream);

}  // namespace klab::runner
