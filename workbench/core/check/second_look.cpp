// The phase verify once more, on the simulator, and the steps of the task counted there.
#include "core/check/second_look.hpp"

#include <algorithm>

#include "core/course/drawn_sizes.hpp"
#include "core/judge/checker_findings.hpp"
#include "core/wire/runner_client.hpp"

namespace klab {
namespace {

/// Warp instructions that are executed at the size that is timed: a second's work of two cores.
constexpr double counted_in_part = 20e6;

/// Why the simulator says nothing of a kernel that is right on a GPU.
std::string reason_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::hang:
    case ErrorCode::too_slow:
      return "it takes longer there than a check may wait";
    case ErrorCode::canceled:
      return "the check was stopped";
    default:
      return error.what;
  }
}

/// Runs a phase that counts, and gives its one set; without one, the reason.
std::optional<record::CounterSet> counted(const Tree& tree, const Request& request, double limit_s,
                                          SecondLook& look, const std::atomic<bool>& canceled) {
  const PhaseOutcome outcome = run_local_phase(tree.runner(true), request, limit_s, {}, &canceled);
  look.seconds += outcome.seconds;
  const auto sets = outcome.all<record::CounterSet>();
  if (!sets.empty()) return sets.front();
  look.not_counted = outcome.error ? reason_of(*outcome.error) : "it counted nothing";
  return std::nullopt;
}

/// The share of the blocks that can be run at the size that is timed, going by what the steps took
/// at the small one.
double affordable_share(const record::CounterSet& small, double timed_flops) {
  const auto executed = small.values.find("warp_instructions");
  if (executed == small.values.end() || !executed->second.value || small.least.flops() <= 0)
    return 1;
  const double expected = *executed->second.value * timed_flops / small.least.flops();
  return expected > counted_in_part ? counted_in_part / expected : 1;
}

void count(const Tree& tree, const WorkToCount& work, SecondLook& look,
           const std::atomic<bool>& canceled, const LookLimits& limits) {
  look.counted = counted(tree, work.request, limits.counting, look, canceled);
  if (!look.counted || !work.timed) return;
  Request timed = work.request;
  timed.sizes = {*work.timed};
  timed.share_of_blocks = look.share_of_blocks = affordable_share(*look.counted, work.timed_flops);
  look.counted_timed = counted(tree, timed, limits.counting_timed, look, canceled);
}

/// A finding may end the phase as a fault does on a GPU; it says more than that end. Also what
/// findings_for() leaves to a cause is one here: that has passed, so a file which keeps memory all
/// the same does so in launches that were not counted.
void take(SecondLook& look, const Tree& tree, const PhaseOutcome& outcome) {
  look.findings = named_from(tree.root, outcome.all<record::Finding>());
  for (const record::Verified& verified : outcome.all<record::Verified>()) {
    if (verified.correct) continue;
    auto& place = verified.problem == ResultProblem::unjoined_stream ? look.unjoined : look.wrong;
    if (!place) place = verified;
  }
  if (outcome.error && look.findings.empty()) look.not_looked = reason_of(*outcome.error);
}

}  // namespace

SecondLook second_look(const Tree& tree, Request verify, const std::optional<WorkToCount>& work,
                       const OnCheckEvent& on_event, const std::atomic<bool>& canceled,
                       const LookLimits& limits) {
  SecondLook look;
  std::error_code ignored;
  if (!std::filesystem::exists(tree.runner(true), ignored)) {
    look.not_looked = look.not_counted = "it is not built here";
    return look;
  }
  const auto tell = [&](CheckEvent::Kind kind, const std::string& text) {
    if (on_event) on_event({kind, OwnPhase::second_look, {}, text});
  };
  tell(CheckEvent::Kind::phase_started, "Looking for races and stray accesses on the simulator");
  // Apart from what is found, so that neither keeps the other from being known.
  if (work) count(tree, *work, look, canceled, limits);
  // Small sizes first: what time is left for is seen.
  std::stable_sort(verify.sizes.begin(), verify.sizes.end(), [](const Size& a, const Size& b) {
    return element_count(a) < element_count(b);
  });
  verify.full_checks = true;
  const double left_s = std::max(limits.least_looking, limits.all - look.seconds);
  // What is under way when this is over counts for nothing.
  verify.patience_s = 0.9 * left_s;
  const PhaseOutcome outcome = run_local_phase(tree.runner(true), verify, left_s, {}, &canceled);
  look.seconds += outcome.seconds;
  take(look, tree, outcome);
  tell(CheckEvent::Kind::phase_ended, "Looked on the simulator");
  return look;
}

}  // namespace klab
