// The room of a runner: what it keeps for itself before it loads a kernel file.
#pragma once

#include "core/wire/protocol.hpp"

namespace klab::runner {

/// Shuts this process in, as far as the request says, if it is about to load kernel files. It stays
/// open under a profiler or sanitizer that was injected from outside and has to talk to its tool:
/// that is decided by who started klab, before any of the kernel file's code runs.
void close_room(const Request& request);

}  // namespace klab::runner
