// Interleaved timing: kernel files in processes of their own take turns, and one loop here decides
// who runs when, what is verified, and when enough is known.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>

#include "core/base/result.hpp"
#include "core/base/tree.hpp"
#include "core/wire/phase_outcome.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// A process that holds one kernel file and runs only in its turns.
class Side {
 public:
  virtual ~Side() = default;
  struct Sampled {
    record::Sample sample;
    double turn_s = 0;  ///< by the clock of whoever gave the turn
  };
  /// Errors: however it ended instead.
  virtual Result<Sampled> sample(const Turn& turn) = 0;
  /// Of its last sample, all launches in full.
  virtual Result<record::Verified> verify() = 0;
  /// What it knew when it ended.
  virtual Result<record::Timed> end() = 0;
};
using StartSide = std::function<std::unique_ptr<Side>(const PluginRequest&)>;

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

/// One phase as run_phase() runs it, but the phase `time` on a GPU of this machine as above. A
/// remote runner does the same at its place.
PhaseOutcome run_check_phase(const Tree& tree, bool simulator, const Request& request,
                             double time_limit_s,
                             const std::function<void(const Record&)>& on_record = {},
                             const std::atomic<bool>* canceled = nullptr);

}  // namespace klab
