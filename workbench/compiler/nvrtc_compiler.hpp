// NvrtcCompiler: one kernel file through NVRTC.
#pragma once

#include "core/build/draft/compile_facts.hpp"

namespace klab::compiler {

/// Compiles the device part of the file to machine code and reports what ptxas said of it. The
/// occupancy is left to the caller.
CompileFacts compile(const FactsRequest& request);

}  // namespace klab::compiler
