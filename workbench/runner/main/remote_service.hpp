// RemoteService: answers one request that comes from another machine.
#pragma once

#include "core/base/tree.hpp"

namespace klab::runner {

/// Reads a RemoteRequest on standard input, runs it in a runner process of its own on this machine,
/// and writes its records to standard output; what the learner's code prints goes to standard
/// error. Once a second an empty line shows that it lives. When nobody reads any more, the process
/// is killed. `here`: what the environment says of this machine. The libraries lie in a private
/// folder that is removed at the end. Returns the exit code.
int serve_remote(const Tree& here);

}  // namespace klab::runner
