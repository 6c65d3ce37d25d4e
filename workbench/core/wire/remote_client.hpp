// RemoteClient: one phase in a runner that a command reaches, such as `ssh host klab-runner-gpu`.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "core/wire/phase_outcome.hpp"

namespace klab {

/// `command` is the user's own; it is started without a shell, with `--remote` added, gets the
/// request and its libraries on standard input and answers with records on standard output. Errors
/// beside those of run_phase(): usage for a command that is none, no_runner where nothing answers
/// or the connection breaks, protocol_mismatch for a runner of another version.
PhaseOutcome run_remote_phase(const std::string& command, const Request& request,
                              double time_limit_s,
                              const std::function<void(const Record&)>& on_record,
                              const std::atomic<bool>* canceled);

}  // namespace klab
