// PhasesAhead: the phases of a check, of which some are started before their turn.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/tree.hpp"
#include "core/timing/runner_sides.hpp"
#include "core/wire/phase_ahead.hpp"
#include "core/wire/phase_outcome.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// On a GPU of this machine; elsewhere nothing is started early.
class PhasesAhead {
 public:
  /// `canceled` ends those that take turns.
  PhasesAhead(const Tree& tree, double time_limit_s, const std::atomic<bool>* canceled)
      : tree_(tree), time_limit_s_(time_limit_s), canceled_(canceled) {}

  /// Ends what was started and never run, and what is not quite over, all at once: a device takes a
  /// while to let go.
  ~PhasesAhead();
  PhasesAhead(const PhasesAhead&) = delete;
  PhasesAhead& operator=(const PhasesAhead&) = delete;

  /// The same while the caller goes on: a verdict need not wait for that. The program's end does.
  static void let_go(std::unique_ptr<PhasesAhead> phases);

  /// Starts what the phase needs, up to where it would load what is judged. The sides of a timing
  /// are started once, however often they are asked for.
  void start(const Request& request);
  /// Whether the devices of all that was started and takes no turns are awake, and until then.
  bool are_awake() const;
  void wait_until_awake() const;
  /// One phase as run_phase() runs it, but the phase `time` with a process a kernel file, which
  /// take turns; by then all others wait or are gone. A remote runner does the same at its place.
  /// What was started for this very request is taken.
  PhaseOutcome run(bool simulator, const Request& request,
                   const std::function<void(const Record&)>& on_record = {});
  /// What the run of a phase that was started before left behind, once its process has ended;
  /// nothing if there was none.
  PhaseOutcome at_end(Phase phase) const;

 private:
  const Tree& tree_;
  double time_limit_s_;
  const std::atomic<bool>* canceled_;
  std::unique_ptr<RunnerSides> sides_;
  std::vector<std::unique_ptr<PhaseAhead>> waiting_, ended_;
};

}  // namespace klab
