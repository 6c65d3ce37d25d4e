// Interleaved timing: kernel files in processes of their own take turns, and one loop here decides
// who runs when, what is verified, and when enough is known.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "core/timing/side.hpp"
#include "core/wire/phase_outcome.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// The phase `time` of `request`. The first kernel file is the reference of the ratios; it is timed
/// alone before any other one is started. The outcome holds what the sides reported and, unless one
/// of them failed, ends with Timed. A wrong result among those that are verified ends the sampling,
/// without Timed.
PhaseOutcome time_interleaved(const Request& request, const StartSide& start,
                              const std::function<void(const Record&)>& on_record);

/// The same with a runner of this machine for each side.
PhaseOutcome time_interleaved(const std::filesystem::path& runner, const Request& request,
                              double time_limit_s,
                              const std::function<void(const Record&)>& on_record,
                              const std::atomic<bool>* canceled);

}  // namespace klab
