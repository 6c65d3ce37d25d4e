// What every profiler of CUPTI asks first: the current context, and whether this device can do it.
#pragma once

#include <cuda.h>
#include <cupti_profiler_target.h>

namespace klab::runner {

/// The context that the runtime made current. Asked through the runtime, so that this program needs
/// no libcuda.so to start on a machine without a driver. Errors: RunnerError.
CUcontext current_context();

/// Errors: RunnerError with profiler_unsupported, saying what stands in the way, or with what CUPTI
/// refuses the question itself (profiler_denied, ...).
void require_profiler(int device, CUpti_Profiler_API api);

}  // namespace klab::runner
