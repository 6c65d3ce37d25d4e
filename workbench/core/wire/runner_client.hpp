// RunnerClient: one phase in one runner process, from request to records, whatever becomes of the
// process.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "core/base/tree.hpp"
#include "core/wire/phase_outcome.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

class ProcessControl;

/// Runs one phase. `on_record` is called for each record as it arrives. A process that exceeds
/// `time_limit_s` is killed: ErrorCode::hang. One that ends by a signal: ErrorCode::crash, with the
/// step it had reached. Where the tree names a remote runner, that one is asked, whatever
/// `simulator` says.
PhaseOutcome run_phase(const Tree& tree, bool simulator, const Request& request,
                       double time_limit_s,
                       const std::function<void(const Record&)>& on_record = {},
                       const std::atomic<bool>* canceled = nullptr);

/// The same in the program `runner` of this machine. With `control`, its standard input stays open
/// for the turns of a request that is done in turns. With `open_room`, kernel files run there with
/// all the user's rights.
PhaseOutcome run_local_phase(const std::filesystem::path& runner, const Request& request,
                             double time_limit_s,
                             const std::function<void(const Record&)>& on_record,
                             const std::atomic<bool>* canceled, ProcessControl* control = nullptr,
                             bool open_room = false);

}  // namespace klab
