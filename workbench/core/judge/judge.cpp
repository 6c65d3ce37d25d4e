// The order of the gates, the rungs that ask for them, and the score.
#include "core/judge/judge.hpp"

#include <algorithm>
#include <utility>

#include "core/judge/gates.hpp"
#include "core/measure/least_work.hpp"

namespace klab {
namespace {

/// A gate before which the check ended.
Gate not_reached(GateName name, std::string subject, const std::string& not_run) {
  Gate gate{.name = name, .subject = std::move(subject)};
  gates::leave_unreached(gate, not_run);
  return gate;
}

/// What a rung asks for beside a right result; `not_run` is why nothing was run, if it wasn't.
std::vector<Gate> rung_gates(const Evidence& evidence, const Rung& rung,
                             const std::optional<std::string>& not_run) {
  std::vector<Gate> asked;
  for (const CauseTarget& cause : rung.causes)
    asked.push_back(not_run ? not_reached(GateName::cause, cause.metric, *not_run)
                            : gates::cause(evidence, cause));
  if (rung.time.speedup)
    asked.push_back(not_run ? not_reached(GateName::time, speedup_subject, *not_run)
                            : gates::speedup(evidence, *rung.time.speedup));
  if (rung.time.at_most_s)
    asked.push_back(not_run ? not_reached(GateName::time, "benchmark_seconds", *not_run)
                            : gates::budget(evidence, *rung.time.at_most_s));
  if (rung.time.ceiling)
    asked.push_back(not_run ? not_reached(GateName::time, rung.time.ceiling->of, *not_run)
                            : gates::ceiling_share(evidence, *rung.time.ceiling));
  return asked;
}

/// Of a kernel that does all of its work, and does it right.
std::optional<double> score_of(const Evidence& evidence) {
  const VariantTimes* flawed = gates::times_of(evidence, VariantName::flawed);
  const VariantTimes* mine = gates::times_of(evidence, VariantName::mine);
  if (!flawed || !mine || !evidence.timed || !evidence.ceilings) return std::nullopt;
  // Nothing of the task counts as left in a cache: the score says how near the roof is.
  const auto roof_s = least_time_s(evidence.timed->least, *evidence.ceilings, 0);
  if (!roof_s || *roof_s >= flawed->seconds->median) return std::nullopt;
  const double gained_s = flawed->seconds->median - mine->seconds->median;
  return std::clamp(100 * gained_s / (flawed->seconds->median - *roof_s), 0.0, 100.0);
}

}  // namespace

Judgement judge(const Evidence& evidence) {
  Judgement judgement;
  std::vector<Gate>& pass = judgement.gates;
  std::optional<std::string> not_run;
  if (evidence.setup_error) {
    pass.push_back(gates::unknown(GateName::built, "nvcc", *evidence.setup_error));
    not_run = "Not run: " + evidence.setup_error->what;
  } else {
    pass.push_back(gates::built(evidence));
    if (evidence.build_error) not_run = "Not run, because it is not built.";
  }
  pass.push_back(not_run ? not_reached(GateName::correct, "result", *not_run)
                         : gates::correct(evidence));
  pass.push_back(not_run ? not_reached(GateName::same_work, "physics floor", *not_run)
                         : gates::same_work(evidence));
  if (!not_run)
    if (auto counted = gates::counted_steps(evidence)) pass.push_back(std::move(*counted));
  if (combine(pass) == Outcome::pass) judgement.score = score_of(evidence);
  // A rung holds all that the rungs before it ask for.
  std::vector<Gate> asked = pass;
  for (const Rung& rung : evidence.lab->rungs) {
    RungResult result{.name = rung.name, .gates = rung_gates(evidence, rung, not_run)};
    asked.insert(asked.end(), result.gates.begin(), result.gates.end());
    result.outcome = combine(asked);
    if (judgement.rungs.empty()) pass = asked;
    judgement.rungs.push_back(std::move(result));
  }
  return judgement;
}

bool is_kernels_fault(const Error& error) {
  switch (error.code) {
    case ErrorCode::bad_plugin:
    case ErrorCode::launch_failed:
    case ErrorCode::device_fault:
    case ErrorCode::hang:
    case ErrorCode::crash:
    case ErrorCode::runner_failed:
    case ErrorCode::protocol_mismatch:
      return true;
    default:
      return false;
  }
}

}  // namespace klab
