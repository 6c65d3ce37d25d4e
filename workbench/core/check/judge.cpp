// The rules of the verdict, one function a gate.
#include "core/check/judge.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/text.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/format.hpp"
#include "core/measure/least_work.hpp"
#include "core/measure/measure_policy.hpp"
#include "core/timing/clock_doubt.hpp"

namespace klab {
namespace {

constexpr const char* candidate_variant = "candidate";

/// A gate that nothing could be said about, with the reason.
Gate unknown(std::string name, std::string subject, std::string why, std::string advice = {}) {
  return {.name = std::move(name),
          .subject = std::move(subject),
          .outcome = Outcome::not_checkable,
          .detail = std::move(why),
          .advice = std::move(advice)};
}

Gate failed(std::string name, std::string subject, const Error& error) {
  return {.name = std::move(name),
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
      return unknown("built", "nvcc", evidence.build_error->what, evidence.build_error->remedy);
    return failed("built", "nvcc", *evidence.build_error);
  }
  return {.name = "built",
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
    return "The result is not accepted (" + wrong.problem + " in " + wrong.buffer + ")" + where +
           ".";
  // What is wrong is where something was written, not what.
  if (!wrong.want)
    return "The result is not accepted: " + wrong.problem + ", first seen at " + wrong.buffer +
           "[" + std::to_string(*wrong.index) + "]" + where + ".";
  return std::to_string(wrong.wrong) + " of " + std::to_string(wrong.total) + " elements of " +
         wrong.buffer + " are wrong (" + wrong.problem + "); the first is [" +
         std::to_string(*wrong.index) + "]: got " + text_of(wrong.got, wrong.got_text) + ", want " +
         text_of(wrong.want, "?") + " within " + text_of(wrong.tolerance, "?") + where + ".";
}

std::string advice_for(const record::Verified& wrong) {
  if (wrong.problem == "not written")
    return "Some outputs are never written: check which threads cover which elements.";
  if (wrong.problem == "guard overwritten")
    return "It writes outside the buffer: guard the tail with an index check. compute-sanitizer "
           "names the line.";
  if (wrong.problem == "input changed")
    return "Inputs must stay as they are: write only to the outputs.";
  if (wrong.problem.find("stream") != std::string::npos)
    return "Launch on the stream that `launch` was given, or make it wait for the others with an "
           "event.";
  return "Compute one wrong element by hand and compare; start with the smallest size that fails.";
}

/// The sizes that were checked before were right.
std::string advice_for_later(const record::Verified& wrong) {
  if (wrong.problem != "wrong value" && wrong.problem != "not written") return advice_for(wrong);
  return "Every launch gets new inputs, scalars and contents of its outputs. Plans, streams and "
         "memory may be kept from one launch to the next, results may not; and all work must be "
         "done once the given stream is.";
}

const record::Verified* first_wrong(const std::vector<record::Verified>& verified) {
  const auto found =
      std::find_if(verified.begin(), verified.end(), [](const auto& v) { return !v.correct; });
  return found == verified.end() ? nullptr : &*found;
}

std::string describe(const record::Finding& finding) {
  const std::string place =
      finding.file.empty() ? ""
                           : finding.file + ":" + std::to_string(finding.line.value_or(0)) + ": ";
  return place + finding.message;
}

/// What a checker found in an access, though every result was right.
Gate finding_gate(const std::vector<record::Finding>& findings, const std::string& opening) {
  const record::Finding& finding = findings.front();
  return {.name = "correct",
          .subject = finding.kind,
          .outcome = Outcome::fail,
          .measured = static_cast<double>(findings.size()),
          .target = "== 0",
          .unit = "findings",
          .source = Source::checked,
          .detail = opening + describe(finding),
          .advice = "The result may look right by luck; correct the access and check again."};
}

/// What a checker saw says more of a wrong value than the value does.
std::string advice_for(const record::Verified& wrong,
                       const std::vector<record::Finding>& findings) {
  if (wrong.problem != "wrong value" || findings.empty()) return advice_for(wrong);
  return "Begin with what the checker saw: " + describe(findings.front());
}

std::string second_look_note(const Evidence& evidence) {
  if (!evidence.second_look) return {};
  if (!evidence.second_look->not_looked.empty())
    return " The simulator did not look for races and stray accesses: " +
           evidence.second_look->not_looked +
           (evidence.second_look->not_looked.back() == '.' ? "" : ".");
  return " The simulator's checker saw no race, no unset memory and no access outside.";
}

/// What was seen beyond 32-bit indices.
std::string huge_text(const Evidence& evidence, bool tried) {
  const Size& huge = evidence.lab->sizes.huge;
  if (huge.empty()) return {};
  if (!tried) return " The size " + to_string(huge) + " could not be tried here as a whole.";
  return evidence.simulated
             ? " At " + to_string(huge) + " some blocks were run: their addresses are right."
             : " So does one at " + to_string(huge) + ".";
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
      return {.name = "correct",
              .subject = subject,
              .outcome = Outcome::fail,
              .measured = static_cast<double>(wrong->wrong),
              .target = "== 0",
              .unit = "wrong elements",
              .source = Source::checked,
              .detail = which + describe(*wrong),
              .advice = list == &before ? advice_for(*wrong, evidence.findings)
                                        : advice_for_later(*wrong)};
  if (!evidence.findings.empty()) return finding_gate(evidence.findings, "");
  if (evidence.second_look && !evidence.second_look->findings.empty())
    return finding_gate(evidence.second_look->findings,
                        "Right on this GPU as often as it was tried, but: ");
  for (const auto* error : {&evidence.verify_error, &evidence.time_error})
    if (*error && is_kernels_fault(**error)) return failed("correct", subject, **error);
  if (evidence.verify_error)
    return unknown("correct", subject, evidence.verify_error->what, evidence.verify_error->remedy);
  if (before.empty())
    return unknown("correct", subject, "The runner verified nothing.", "Look at `./klab doctor`.");
  const auto huge = std::count_if(before.begin(), before.end(), [&](const auto& verified) {
    return verified.size == evidence.lab->sizes.huge;
  });
  return {.name = "correct",
          .subject = subject,
          .outcome = Outcome::pass,
          .measured = 0.0,
          .target = "== 0",
          .unit = "wrong elements",
          .source = Source::checked,
          .detail = std::to_string(before.size() - static_cast<std::size_t>(huge)) + " runs over " +
                    std::to_string(evidence.lab->sizes.checking.size() + evidence.drawn_sizes) +
                    " sizes" +
                    (evidence.drawn_sizes > 0 ? ", " + std::to_string(evidence.drawn_sizes) +
                                                    " of them drawn for this check,"
                                              : "") +
                    " agree with the double-precision reference." + huge_text(evidence, huge > 0) +
                    second_look_note(evidence)};
}

const char* why_no_time(const Evidence& evidence) {
  return evidence.simulated ? "Time needs a GPU: the simulator counts, it does not time."
                            : "No time was taken, because an earlier gate did not pass.";
}

const VariantTimes* times_of(const Evidence& evidence, const std::string& variant) {
  const auto found = evidence.timing.variants.find(variant);
  return found == evidence.timing.variants.end() || !found->second.seconds ? nullptr
                                                                           : &found->second;
}

Gate same_work_gate(const Evidence& evidence) {
  const std::string name = "same work", subject = "physics floor";
  const VariantTimes* times = times_of(evidence, candidate_variant);
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
  const std::vector<CountedWork> counted = counted_work(*evidence.counted_least, evidence.counters);
  if (counted.empty()) return std::nullopt;
  const auto less = std::find_if(counted.begin(), counted.end(),
                                 [](const CountedWork& work) { return work.falls_short(); });
  const bool short_of = less != counted.end();
  const CountedWork& work = short_of ? *less : counted.front();
  Gate gate{.name = "same work",
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
  const VariantTimes* times = times_of(evidence, candidate_variant);
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

const char* next_hint = "`./klab hint` says, one step at a time, where to look.";

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
  Gate gate{.name = "cause", .subject = cause.metric, .target = to_string(cause.target)};
  if (metric != nullptr) gate.unit = metric->unit;
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
  if (gate.outcome == Outcome::fail) gate.advice = next_hint;
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
    Gate gate = unknown("time", "speedup", why_no_time(evidence));
    if (evidence.time_error) {
      gate.detail = evidence.time_error->what;
      gate.advice = evidence.time_error->remedy;
    }
    gate.target = ">= " + format_ratio(target);
    return gate;
  }
  const Interval& ratio = *evidence.timing.ratio;
  Gate gate{.name = "time",
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
    gate.advice = "Look at the counters for what limits it now; `./klab hint` gives the next hint.";
  doubt_pass(gate, evidence);
  return gate;
}

std::string ceiling_title(const std::string& name) {
  const CeilingInfo* info = find_ceiling(name);
  return info != nullptr ? std::string(info->label) : name;
}

/// The share of a measured ceiling that the candidate reaches, as the task's least work over its
/// time.
Gate ceiling_gate(const Evidence& evidence, const CeilingTarget& target) {
  Gate gate{.name = "time",
            .subject = target.of,
            .target = ">= " + format_percent(target.at_least * 100),
            .unit = "%"};
  const VariantTimes* times = times_of(evidence, candidate_variant);
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
    gate.advice = "Look at the counters for what limits it now; `./klab hint` gives the next hint.";
  doubt_pass(gate, evidence);
  return gate;
}

/// What a rung asks for beside a right result; `not_run` is why nothing was run, if it wasn't.
std::vector<Gate> rung_gates(const Evidence& evidence, const Rung& rung,
                             const std::optional<std::string>& not_run) {
  std::vector<Gate> gates;
  for (const CauseTarget& cause : rung.causes)
    gates.push_back(not_run ? unknown("cause", cause.metric, *not_run)
                            : cause_gate(evidence, cause));
  if (rung.time.speedup)
    gates.push_back(not_run ? unknown("time", "speedup", *not_run)
                            : speedup_gate(evidence, *rung.time.speedup));
  if (rung.time.ceiling)
    gates.push_back(not_run ? unknown("time", rung.time.ceiling->of, *not_run)
                            : ceiling_gate(evidence, *rung.time.ceiling));
  return gates;
}

/// Of a kernel that does all of its work, and does it right.
std::optional<double> score_of(const Evidence& evidence) {
  const VariantTimes* flawed = times_of(evidence, "flawed");
  const VariantTimes* mine = times_of(evidence, candidate_variant);
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
        unknown("built", "nvcc", evidence.setup_error->what, evidence.setup_error->remedy));
    not_run = "Not run: " + evidence.setup_error->what;
  } else {
    gates.push_back(built_gate(evidence));
    if (evidence.build_error) not_run = "Not run, because it is not built.";
  }
  gates.push_back(not_run ? unknown("correct", "result", *not_run) : correct_gate(evidence));
  gates.push_back(not_run ? unknown("same work", "physics floor", *not_run)
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
