// The room of a runner: what it keeps for itself before it loads a kernel file.
#pragma once

#include "core/wire/protocol.hpp"

namespace klab::runner {

/// Shuts this process in if it is about to load kernel files. It stays open where KLAB_ROOM=open
/// stands in the environment, or under a profiler or sanitizer that was injected from outside and
/// has to talk to its tool: both are decided by who started klab, before any of the kernel file's
/// code runs.
void close_room(const Request& request);

}  // namespace klab::runner
