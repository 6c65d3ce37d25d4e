// The phase verify once more, on the simulator.
#include "core/check/second_look.hpp"

#include <algorithm>

#include "core/course/drawn_sizes.hpp"
#include "core/wire/runner_client.hpp"

namespace klab {
namespace {

/// A learner waits for it after a pass; the labs' checking sizes take a second or two.
constexpr double time_limit_s = 8;

/// Why the simulator says nothing of a kernel that is right on a GPU.
std::string reason_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::hang:
      return "it takes longer there than a check may wait";
    case ErrorCode::canceled:
      return "the check was stopped";
    default:
      return error.what;
  }
}

}  // namespace

SecondLook second_look(const Tree& tree, Request verify, const std::optional<Request>& counters,
                       const OnCheckEvent& on_event, const std::atomic<bool>& canceled) {
  SecondLook look;
  std::error_code ignored;
  if (!std::filesystem::exists(tree.runner(true), ignored)) {
    look.not_looked = "it is not built here";
    return look;
  }
  const auto tell = [&](CheckEvent::Kind kind, const std::string& text) {
    if (on_event) on_event({kind, OwnPhase::second_look, {}, text});
  };
  tell(CheckEvent::Kind::phase_started, "Looking for races and stray accesses on the simulator");
  // Small sizes first: what time is left for is seen.
  std::stable_sort(verify.sizes.begin(), verify.sizes.end(), [](const Size& a, const Size& b) {
    return element_count(a) < element_count(b);
  });
  verify.full_checks = true;
  const PhaseOutcome outcome =
      run_local_phase(tree.runner(true), verify, time_limit_s, {}, &canceled);
  look.seconds = outcome.seconds;
  look.findings = outcome.all<record::Finding>();
  for (const record::Verified& verified : outcome.all<record::Verified>())
    if (!look.unjoined && !verified.correct && verified.problem == ResultProblem::unjoined_stream)
      look.unjoined = verified;
  // A finding may end the phase as a fault does on a GPU; it says more than that end.
  if (outcome.error && look.findings.empty()) look.not_looked = reason_of(*outcome.error);
  if (counters && look.not_looked.empty()) {
    const PhaseOutcome counted =
        run_local_phase(tree.runner(true), *counters, time_limit_s, {}, &canceled);
    look.seconds += counted.seconds;
    const auto sets = counted.all<record::CounterSet>();
    if (!sets.empty()) look.counted = sets.front();
  }
  tell(CheckEvent::Kind::phase_ended, "Looked on the simulator");
  return look;
}

}  // namespace klab
