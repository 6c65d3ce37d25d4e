// Names and texts of the CUDA runtime's error codes.
#pragma once

#include <driver_types.h>

namespace klab::sim {

/// The enumerator's spelling, or "unrecognized error code".
const char* error_name(cudaError_t code);
/// One short description, or "unrecognized error code".
const char* error_text(cudaError_t code);

}  // namespace klab::sim
