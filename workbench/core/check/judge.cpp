// The rules of the verdict, one function a gate.
#include "core/check/judge.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/text.hpp"
#include "core/check/checker_findings.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/format.hpp"
#include "core/measure/least_work.hpp"
#include "core/measure/measure_policy.hpp"
#include "core/timing/clock_doubt.hpp"

namespace klab {
namespace {

/// A gate that nothing could be said about, with the reason.
Gate unknown(GateName name, std::string subject, std::string why, std::string advice = {}) {
  return {.name = name,
          .subject = std::move(subject),
          .outcome = Outcome::not_checkable,
          .detail = std::move(why),
          .advice = std::move(advice)};
}

Gate failed(GateName name, std::string subject, const Error& error) {
  return {.name = name,
          .subject = std::move(subject),
          .outcome = Outcome::fail,
          .source = Source::checked,
          .detail = error.what,
          .advice = error.remedy};
}

/// Errors that are the kernel's own doing, as against the machine's.
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

Gate built_gate(const Evidence& evidence) {
  if (evidence.build_error) {
    if (evidence.build_error->code != ErrorCode::build_failed &&
        evidence.build_error->code != ErrorCode::hang)
      return unknown(GateName::built, "nvcc", evidence.build_error->what,
                     evidence.build_error->remedy);
    return failed(GateName::built, "nvcc", *evidence.build_error);
  }
  return {.name = GateName::built,
          .subject = "nvcc",
          .outcome = Outcome::pass,
          .source = Source::compiler,
          .detail = evidence.build_seconds > 0
                        ? "Built in " + format_seconds(evidence.build_seconds) + "."
                        : "Built before from the same source."};
}

std::string text_of(const std::optional<double>& value, const std::string& fallback) {
  return value ? format_number(value) : fallback;
}

std::string describe(const record::Verified& wrong) {
  const std::string where =
      " at size " + to_string(wrong.size) + ", seed " + std::to_string(wrong.seed);
  if (!wrong.index)
    return "The result is not accepted (" + std::string(to_string(wrong.problem)) + " in " +
           wrong.buffer + ")" + where + ".";
  // What is wrong is where something was written, not what.
  if (!wrong.want)
    return "The result is not accepted: " + std::string(to_string(wrong.problem)) +
           ", first seen at " + wrong.buffer + "[" + std::to_string(*wrong.index) + "]" + where +
           ".";
  return std::to_string(wrong.wrong) + " of " + std::to_string(wrong.total) + " elements of " +
         wrong.buffer + " are wrong (" + std::string(to_string(wrong.problem)) +
         "); the first is [" + std::to_string(*wrong.index) + "]: got " +
         text_of(wrong.got, wrong.got_text) + ", want " + text_of(wrong.want, "?") + " within " +
         text_of(wrong.tolerance, "?") + where + ".";
}

std::string advice_for(ResultProblem problem) {
  switch (problem) {
    case ResultProblem::not_written:
      return "Some outputs are never written: check which threads cover which elements.";
    case ResultProblem::guard_overwritten:
      return "It writes outside the buffer: guard the tail with an index check. compute-sanitizer "
             "names the line.";
    case ResultProblem::input_changed:
      return "Inputs must stay as they are: write only to the outputs.";
    case ResultProblem::unjoined_stream:
      return "Launch on the stream that `launch` was given, or make it wait for the others with an "
             "event.";
    case ResultProblem::none:
    case ResultProblem::wrong_value:
    case ResultProblem::nan_missing:
    case ResultProblem::infinity_missing:
      break;
  }
  return "Compute one wrong element by hand and compare; start with the smallest size that fails.";
}

/// The sizes that were checked before were right.
std::string advice_for_later(ResultProblem problem) {
  if (problem != ResultProblem::wrong_value && problem != ResultProblem::not_written)
    return advice_for(problem);
  return "Every launch gets new inputs, scalars and contents of its outputs. Plans, streams and "
         "memory may be kept from one launch to the next, results may not; and all work must be "
         "done once the given stream is.";
}

const record::Verified* first_wrong(const std::vector<record::Verified>& verified) {
  const auto found =
      std::find_if(verified.begin(), verified.end(), [](const auto& v) { return !v.correct; });
  return found == verified.end() ? nullptr : &*found;
}

/// What a checker found in an access, though every result was right.
Gate finding_gate(const std::vector<record::Finding>& findings, const std::string& opening) {
  const std::vector<SeenFinding> seen = seen_once(findings);
  return {.name = GateName::correct,
          .subject = seen.front().finding.kind,
          .outcome = Outcome::fail,
          .measured = static_cast<double>(seen.size()),
          .target = "== 0",
          .unit = "findings",
          .source = Source::checked,
          .detail = opening + told(seen),
          .advice = "The result may look right by luck; correct the access and check again."};
}

/// What a checker saw says more of a wrong result than the result does.
std::string advice_for(ResultProblem problem, const std::vector<record::Finding>& findings) {
  if (findings.empty()) return advice_for(problem);
  return "Begin with what the checker saw: " + told(seen_once(findings));
}

std::string second_look_note(const Evidence& evidence) {
  if (!evidence.second_look) return {};
  if (!evidence.second_look->not_looked.empty())
    return " The simulator did not look for races and stray accesses: " +
           evidence.second_look->not_looked +
           (evidence.second_look->not_looked.back() == '.' ? "" : ".");
  return " The simulator's checker saw no race, no unset memory and no access outside.";
}

bool is_tried(const Evidence& evidence, const Size& size) {
  return std::any_of(evidence.verified.begin(), evidence.verified.end(),
                     [&](const auto& verified) { return verified.size == size; });
}

/// What was seen beyond 32-bit indices.
std::string huge_text(const Evidence& evidence) {
  std::string text;
  for (const Size& huge : evidence.lab->sizes.huge)
    text += !is_tried(evidence, huge)
                ? " The size " + to_string(huge) + " could not be tried here as a whole."
            : evidence.simulated
                ? " At " + to_string(huge) + " some blocks were run: their addresses are right."
                : " So does one at " + to_string(huge) + ".";
  return text;
}

Gate correct_gate(const Evidence& evidence) {
  const std::string subject = "result";
  const std::vector<record::Verified>& before = evidence.verified;
  const std::pair<const std::vector<record::Verified>*, const char*> launches[] = {
      {&before, ""},
      {&evidence.verified_timed, "In a launch that was timed: "},
      {&evidence.verified_counted, "In a launch whose counters were read: "}};
  for (const auto& [list, which] : launches)
    if (const record::Verified* wrong = first_wrong(*list))
      return {.name = GateName::correct,
              .subject = subject,
              .outcome = Outcome::fail,
              .measured = static_cast<double>(wrong->wrong),
              .target = "== 0",
              .unit = "wrong elements",
              .source = Source::checked,
              .detail = which + describe(*wrong),
              .advice = list == &before ? advice_for(wrong->problem, evidence.findings)
                                        : advice_for_later(wrong->problem)};
  if (!evidence.findings.empty()) return finding_gate(evidence.findings, "");
  if (evidence.second_look && !evidence.second_look->findings.empty())
    return finding_gate(evidence.second_look->findings,
                        "Right on this GPU as often as it was tried, but: ");
  for (const auto* error : {&evidence.verify_error, &evidence.time_error})
    if (*error && is_kernels_fault(**error)) return failed(GateName::correct, subject, **error);
  if (evidence.verify_error)
    return unknown(GateName::correct, subject, evidence.verify_error->what,
                   evidence.verify_error->remedy);
  if (before.empty())
    return unknown(GateName::correct, subject, "The runner verified nothing.",
                   "Look at `./klab doctor`.");
  const LabSizes& sizes = evidence.lab->sizes;
  const auto huge = std::count_if(sizes.huge.begin(), sizes.huge.end(),
                                  [&](const Size& size) { return is_tried(evidence, size); });
  return {.name = GateName::correct,
          .subject = subject,
          .outcome = Outcome::pass,
          .measured = 0.0,
          .target = "== 0",
          .unit = "wrong elements",
          .source = Source::checked,
          .detail =
              std::to_string(before.size() - static_cast<std::size_t>(huge)) + " runs over " +
              std::to_string(sizes.checking.size() + sizes.beyond.size() + evidence.drawn_sizes) +
              " sizes" +
              (evidence.drawn_sizes > 0
                   ? ", " + std::to_string(evidence.drawn_sizes) + " of them drawn for this check,"
                   : "") +
              " agree with the double-precision reference." + huge_text(evidence) +
              second_look_note(evidence)};
}

const char* why_no_time(const Evidence& evidence) {
  return evidence.simulated ? "Time needs a GPU: the simulator counts, it does not time."
                            : "No time was taken, because an earlier gate did not pass.";
}

const VariantTimes* times_of(const Evidence& evidence, const VariantName& variant) {
  const auto found = evidence.timing.variants.find(variant);
  return found == evidence.timing.variants.end() || !found->second.seconds ? nullptr
                                                                           : &found->second;
}

/// A measurement that reports on a job has run it; how often, the cause asks.
Gate ran_jobs_gate(const Evidence& evidence) {
  const GateName name = GateName::same_work;
  const std::string subject = "runs of each job";
  const auto runs = evidence.counters.find("job_runs");
  if (runs == evidence.counters.end() || !runs->second.value)
    return unknown(name, subject, "Not counted, because an earlier gate did not pass.");
  Gate gate{.name = name,
            .subject = subject,
            .outcome = *runs->second.value >= 1 ? Outcome::pass : Outcome::fail,
            .measured = runs->second.value,
            .target = ">= 1",
            .unit = "runs",
            .source = runs->second.source,
            .detail = "The job that was run least often was run this often."};
  if (gate.outcome == Outcome::fail)
    gate.advice = "Run each job, and report what you measured of it.";
  return gate;
}

Gate same_work_gate(const Evidence& evidence) {
  if (evidence.lab->kind == LabKind::measurement) return ran_jobs_gate(evidence);
  const GateName name = GateName::same_work;
  const std::string subject = "physics floor";
  const VariantTimes* times = times_of(evidence, VariantName::mine);
  if (times == nullptr || !evidence.timed) return unknown(name, subject, why_no_time(evidence));
  if (!evidence.ceilings || evidence.ceilings->values.empty())
    return unknown(name, subject, "The ceilings of this device were not measured.",
                   std::string(unmeasured_remedy));
  const auto floor_s =
      least_time_s(evidence.timed->least, *evidence.ceilings, evidence.device.l2_bytes);
  if (!floor_s)
    return unknown(name, subject, "No ceiling that this task needs was measured.",
                   std::string(unmeasured_remedy));
  const double bound_s = *floor_s / (1 + policy::physics_floor_slack);
  Gate gate{.name = name,
            .subject = subject,
            .outcome = times->seconds->median >= bound_s ? Outcome::pass : Outcome::fail,
            .measured = times->seconds->median,
            .target = ">= " + format_seconds(bound_s),
            .unit = "s",
            .source = Source::measured};
  gate.detail = "It takes " + format_seconds(times->seconds->median) +
                "; this device needs at least " + format_seconds(bound_s) +
                " for the least work the task allows.";
  if (gate.outcome == Outcome::fail)
    gate.advice =
        "Likely reasons: work skipped, work left on another stream, or an answer kept from an "
        "earlier launch.";
  return gate;
}

/// The work that falls short of the task's, else the first that was counted; nullopt if none was.
std::optional<Gate> counted_work_gate(const Evidence& evidence) {
  if (!evidence.counted_least) return std::nullopt;
  std::vector<CountedWork> counted = counted_work(*evidence.counted_least, evidence.counters);
  // What the GPU left open, the simulator counted at a small size.
  const auto& look = evidence.second_look;
  if (look && look->counted && !tells_operations(evidence.counters)) {
    const auto there = counted_work(look->counted->least, look->counted->values);
    counted.insert(counted.end(), there.begin(), there.end());
  }
  if (counted.empty()) return std::nullopt;
  const auto less = std::find_if(counted.begin(), counted.end(),
                                 [](const CountedWork& work) { return work.falls_short(); });
  const bool short_of = less != counted.end();
  const CountedWork& work = short_of ? *less : counted.front();
  Gate gate{.name = GateName::same_work,
            .subject = work.what,
            .outcome = short_of ? Outcome::fail : Outcome::pass,
            .measured = work.counted,
            .target = ">= " + format_count(std::ceil(work.least * (1 - policy::work_slack))),
            .source = work.source};
  gate.detail = "Its launch was counted to take " + format_count(work.counted) + " " + work.what +
                "; the steps of the task take " + format_count(work.least) + " at least.";
  if (short_of)
    gate.advice =
        "Do each of the task's steps: a table, a polynomial or some of the values in place of all "
        "may come near the result, but it is another task.";
  return gate;
}

/// Counters of a launch that took much longer or shorter than the timed ones prove nothing of
/// those.
void doubt_counters(Gate& gate, const Evidence& evidence) {
  const VariantTimes* times = times_of(evidence, VariantName::mine);
  const auto profiled = evidence.counters.find("profiled_duration");
  if (gate.outcome != Outcome::pass || gate.source != Source::measured || times == nullptr ||
      evidence.lab->timing != TimingMode::device || profiled == evidence.counters.end() ||
      !profiled->second.value || same_duration(*profiled->second.value, times->seconds->median))
    return;
  gate.outcome = Outcome::inconclusive;
  gate.detail += " But the launch that was counted took " +
                 format_seconds(*profiled->second.value) + ", and the timed ones " +
                 format_seconds(times->seconds->median) + ": they may not have done the same.";
  gate.advice =
      "Let every launch do the same work, whatever happened before. If it does, close other "
      "programs on this GPU and check again.";
}

/// The verb that gives the next hint of the lab that was judged.
std::string hint_verb(const Evidence& evidence) {
  return "`./klab hint " + evidence.lab->slug + "`";
}

/// Why a counter cannot be held against its bound, and what would help.
void explain_missing(Gate& gate, const Evidence& evidence, const std::string& reason) {
  if (reason.empty()) {
    gate.detail = "Not counted, because an earlier gate did not pass.";
  } else if (reason == nothing_counted) {
    gate.detail = "The kernel did nothing of the kind that this counter is a ratio of.";
    gate.advice =
        "Do the work through the accesses that the lab is about; `./klab metrics` says what is "
        "counted.";
  } else {
    gate.detail = reason;
    if (evidence.simulated) gate.advice = "Check it on a machine with a GPU.";
  }
}

Gate cause_gate(const Evidence& evidence, const CauseTarget& cause) {
  const Metric* metric = find_metric(cause.metric);
  Gate gate{.name = GateName::cause, .subject = cause.metric};
  if (metric != nullptr) gate.unit = metric->unit;
  gate.target = format_bound(cause.target, gate.unit);
  const auto found = evidence.counters.find(cause.metric);
  if (found == evidence.counters.end() || !found->second.value) {
    explain_missing(gate, evidence, found == evidence.counters.end() ? "" : found->second.reason);
    return gate;
  }
  gate.measured = found->second.value;
  gate.source = found->second.source;
  gate.outcome = cause.target.holds(*gate.measured) ? Outcome::pass : Outcome::fail;
  gate.detail = capitalized(cause.why);
  if (!gate.detail.empty() && gate.detail.back() != '.') gate.detail += '.';
  // What the counter shows is the symptom; what to do about it, the hints tell one step at a time.
  if (gate.outcome == Outcome::fail)
    gate.advice = hint_verb(evidence) + " says, one step at a time, where to look.";
  doubt_counters(gate, evidence);
  return gate;
}

std::string throttle_note(const Timing& timing) {
  if (timing.throttle_reasons.empty()) return {};
  std::string note = " The GPU was throttled while timing:";
  for (const std::string& reason : timing.throttle_reasons) note += " " + reason;
  return note + ".";
}

/// Pass if the whole interval reaches the target, fail if none of it does, else inconclusive.
Outcome compare(const Interval& interval, double target) {
  if (interval.low >= target) return Outcome::pass;
  if (interval.high < target) return Outcome::fail;
  return Outcome::inconclusive;
}

const char* quieter =
    "Close other programs on this GPU and check again, or make the kernel clearly faster.";

/// What was timed on a clock that is in doubt does not pass; what fails all the same, fails.
void doubt_pass(Gate& gate, const Evidence& evidence) {
  if (gate.outcome != Outcome::pass || !evidence.timed) return;
  const auto doubt = clock_doubt(evidence.timing, *evidence.timed, evidence.lab->timing);
  if (!doubt) return;
  gate.outcome = Outcome::inconclusive;
  gate.detail += " " + doubt->detail;
  gate.advice = doubt->advice;
}

Gate speedup_gate(const Evidence& evidence, double target) {
  if (!evidence.timing.ratio) {
    Gate gate = unknown(GateName::time, "speedup", why_no_time(evidence));
    if (evidence.time_error) {
      gate.detail = evidence.time_error->what;
      gate.advice = evidence.time_error->remedy;
    }
    gate.target = ">= " + format_ratio(target);
    return gate;
  }
  const Interval& ratio = *evidence.timing.ratio;
  Gate gate{.name = GateName::time,
            .subject = "speedup",
            .outcome = compare(ratio, target),
            .measured = ratio.median,
            .target = ">= " + format_ratio(target),
            .unit = "x",
            .source = Source::measured};
  gate.detail = format_ratio(evidence.timing.ratio) +
                " of the flawed kernel's speed, in the same run." + throttle_note(evidence.timing);
  if (gate.outcome == Outcome::inconclusive) gate.advice = quieter;
  if (gate.outcome == Outcome::fail)
    gate.advice = "Look at the counters for what limits it now; " + hint_verb(evidence) +
                  " gives the next hint.";
  doubt_pass(gate, evidence);
  return gate;
}

/// How long a measurement takes: who waits for its answer waits that long.
Gate budget_gate(const Evidence& evidence, double at_most_s) {
  const GateName name = GateName::time;
  const std::string subject = "benchmark_seconds";
  const auto taken = evidence.counters.find(subject);
  const bool is_known = taken != evidence.counters.end() && taken->second.value;
  Gate gate = unknown(name, subject, "No time was taken, because an earlier gate did not pass.");
  gate.target = "<= " + format_seconds(at_most_s);
  if (!is_known) {
    if (evidence.simulated)
      gate.detail =
          "Time needs a GPU. Whether what is reported is right by a real clock, with cold caches "
          "and the price of a launch, is seen there, too: the simulator's clock counts "
          "instructions and calls.";
    return gate;
  }
  gate.outcome = *taken->second.value <= at_most_s ? Outcome::pass : Outcome::fail;
  gate.measured = taken->second.value;
  gate.unit = "s";
  gate.source = taken->second.source;
  gate.detail = "It takes " + format_seconds(*taken->second.value) + " to measure all jobs.";
  if (gate.outcome == Outcome::fail)
    gate.advice = "Measure each job less often: as often as its spread asks for, and no more.";
  return gate;
}

std::string ceiling_title(const std::string& name) {
  const CeilingInfo* info = find_ceiling(name);
  return info != nullptr ? std::string(info->label) : name;
}

/// The share of a measured ceiling that the candidate reaches, as the task's least work over its
/// time.
Gate ceiling_gate(const Evidence& evidence, const CeilingTarget& target) {
  Gate gate{.name = GateName::time,
            .subject = target.of,
            .target = ">= " + format_percent(target.at_least * 100),
            .unit = "%"};
  const VariantTimes* times = times_of(evidence, VariantName::mine);
  if (times == nullptr || !evidence.timed) {
    gate.detail = why_no_time(evidence);
    return gate;
  }
  const auto ceiling = evidence.ceilings ? evidence.ceilings->value(target.of) : std::nullopt;
  if (!ceiling) {
    gate.detail = "Not measured on this device: " + ceiling_title(target.of) + ".";
    gate.advice = unmeasured_remedy;
    return gate;
  }
  const CeilingInfo* info = find_ceiling(target.of);
  const LeastWork& least = evidence.timed->least;
  const double work = info == nullptr || !info->of ? 0
                      : is_arithmetic(*info->of)   ? least.flops()
                                                   : least.of(*info->of);
  if (!(work > 0)) {
    gate.detail = "The task takes nothing that this ceiling bounds (" + ceiling_title(target.of) +
                  "), so it has no share of it.";
    gate.advice =
        "Name another ceiling in the lab's lab.toml, or say in its workload.cu what the "
        "task takes.";
    return gate;
  }
  const auto share = [&](double seconds) { return work / seconds / *ceiling; };
  const Interval reached{share(times->seconds->median), share(times->seconds->high),
                         share(times->seconds->low)};
  gate.outcome = compare(reached, target.at_least);
  gate.measured = reached.median * 100;
  gate.source = Source::measured;
  gate.detail = format_percent(reached.median * 100) + " of what this device was measured to do (" +
                ceiling_title(target.of) + ").";
  if (gate.outcome == Outcome::inconclusive) gate.advice = quieter;
  if (gate.outcome == Outcome::fail)
    gate.advice = "Look at the counters for what limits it now; " + hint_verb(evidence) +
                  " gives the next hint.";
  doubt_pass(gate, evidence);
  return gate;
}

/// What a rung asks for beside a right result; `not_run` is why nothing was run, if it wasn't.
std::vector<Gate> rung_gates(const Evidence& evidence, const Rung& rung,
                             const std::optional<std::string>& not_run) {
  std::vector<Gate> gates;
  for (const CauseTarget& cause : rung.causes)
    gates.push_back(not_run ? unknown(GateName::cause, cause.metric, *not_run)
                            : cause_gate(evidence, cause));
  if (rung.time.speedup)
    gates.push_back(not_run ? unknown(GateName::time, "speedup", *not_run)
                            : speedup_gate(evidence, *rung.time.speedup));
  if (rung.time.at_most_s)
    gates.push_back(not_run ? unknown(GateName::time, "benchmark_seconds", *not_run)
                            : budget_gate(evidence, *rung.time.at_most_s));
  if (rung.time.ceiling)
    gates.push_back(not_run ? unknown(GateName::time, rung.time.ceiling->of, *not_run)
                            : ceiling_gate(evidence, *rung.time.ceiling));
  return gates;
}

/// Of a kernel that does all of its work, and does it right.
std::optional<double> score_of(const Evidence& evidence) {
  const VariantTimes* flawed = times_of(evidence, VariantName::flawed);
  const VariantTimes* mine = times_of(evidence, VariantName::mine);
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
  std::vector<Gate>& gates = judgement.gates;
  std::optional<std::string> not_run;
  if (evidence.setup_error) {
    gates.push_back(
        unknown(GateName::built, "nvcc", evidence.setup_error->what, evidence.setup_error->remedy));
    not_run = "Not run: " + evidence.setup_error->what;
  } else {
    gates.push_back(built_gate(evidence));
    if (evidence.build_error) not_run = "Not run, because it is not built.";
  }
  gates.push_back(not_run ? unknown(GateName::correct, "result", *not_run)
                          : correct_gate(evidence));
  gates.push_back(not_run ? unknown(GateName::same_work, "physics floor", *not_run)
                          : same_work_gate(evidence));
  if (!not_run)
    if (auto counted = counted_work_gate(evidence)) gates.push_back(std::move(*counted));
  if (combine(gates) == Outcome::pass) judgement.score = score_of(evidence);
  // A rung holds all that the rungs before it ask for.
  std::vector<Gate> asked = gates;
  for (const Rung& rung : evidence.lab->rungs) {
    RungResult result{.name = rung.name, .gates = rung_gates(evidence, rung, not_run)};
    asked.insert(asked.end(), result.gates.begin(), result.gates.end());
    result.outcome = combine(asked);
    if (judgement.rungs.empty()) gates = asked;
    judgement.rungs.push_back(std::move(result));
  }
  return judgement;
}

}  // namespace klab
