// Names and texts of the error codes that the simulated CUDA runtime returns.
#pragma once

#include <driver_types.h>

namespace klab::sim {

/// The enumerator's spelling, or "unrecognized error code" of one that it never returns.
const char* error_name(cudaError_t code);
/// One short description, or "unrecognized error code".
const char* error_text(cudaError_t code);

}  // namespace klab::sim
