// The gate time: against the flawed kernel, a measured ceiling, or a budget.
#include "core/judge/gates.hpp"

#include <limits>

#include "core/measure/format.hpp"
#include "core/timing/clock_doubt.hpp"

namespace klab::gates {
namespace {

std::string throttle_note(const Timing& timing) {
  if (timing.throttle_reasons.empty()) return {};
  std::string note = " The GPU was throttled while timing:";
  for (const std::string& reason : timing.throttle_reasons) note += " " + reason;
  return note + ".";
}

std::string again_note(const Evidence& evidence) {
  if (evidence.timed_before == 0) return {};
  return " Timed " + std::to_string(evidence.timed_before + 1) +
         " times, since the clock was disturbed before.";
}

/// Pass if the whole interval reaches the target, fail if none of it does, else inconclusive.
Outcome compare(const Interval& interval, double target) {
  if (interval.low >= target) return Outcome::pass;
  if (interval.high < target) return Outcome::fail;
  return Outcome::inconclusive;
}

const char* quieter =
    "Close other programs on this GPU and check again, or make the kernel clearly faster.";

/// Times that scatter as those of a machine that is busy with something else do not fail: they tell
/// nothing.
void doubt_failure(Gate& gate, const Interval& interval) {
  if (gate.outcome != Outcome::fail || !is_scattered(interval)) return;
  gate.outcome = Outcome::inconclusive;
  gate.detail += " The times scatter from launch to launch as they do beside other programs.";
  gate.advice = quieter;
}

/// What was timed on a clock that is in doubt does not pass, unless the doubt is too small to
/// matter to a ratio of at least `spare` times its target; what fails all the same, fails.
void doubt_pass(Gate& gate, const Evidence& evidence, double spare) {
  if (gate.outcome != Outcome::pass || !evidence.timed) return;
  const auto doubt = clock_doubt(evidence.timing, *evidence.timed, evidence.lab->timing);
  if (!doubt || (doubt->flattery && spare >= *doubt->flattery)) return;
  gate.outcome = Outcome::inconclusive;
  gate.detail += " " + doubt->detail;
  gate.advice = doubt->advice;
}

std::string ceiling_title(const std::string& name) {
  const CeilingInfo* info = find_ceiling(name);
  return info != nullptr ? std::string(info->label) : name;
}

}  // namespace

Gate speedup(const Evidence& evidence, double target) {
  if (!evidence.timing.ratio) {
    Gate gate{.name = GateName::time, .subject = speedup_subject};
    if (evidence.time_error)
      gate = unknown(GateName::time, speedup_subject, *evidence.time_error);
    else
      leave_untimed(gate, evidence);
    gate.target = at_least(target, "x");
    return gate;
  }
  const Interval& ratio = *evidence.timing.ratio;
  Gate gate{.name = GateName::time,
            .subject = speedup_subject,
            .outcome = compare(ratio, target),
            .measured = ratio.median,
            .target = at_least(target, "x"),
            .unit = "x",
            .source = Source::measured};
  gate.detail = format_ratio(evidence.timing.ratio) +
                " of the flawed kernel's speed, in the same run." + throttle_note(evidence.timing) +
                again_note(evidence);
  if (gate.outcome == Outcome::inconclusive) gate.advice = quieter;
  if (gate.outcome == Outcome::fail)
    gate.advice = "Look at the counters for what limits it now; " + next_hint(evidence) +
                  " gives the next hint.";
  doubt_failure(gate, ratio);
  doubt_pass(gate, evidence, ratio.low / target);
  return gate;
}

Gate budget(const Evidence& evidence, double at_most_s) {
  const GateName name = GateName::time;
  const std::string subject = "benchmark_seconds";
  const auto taken = evidence.counters.find(subject);
  const bool is_known = taken != evidence.counters.end() && taken->second.value;
  Gate gate{.name = name, .subject = subject};
  gate.target = Target{{Bound::Relation::at_most, at_most_s}, "s"};
  if (!is_known) {
    leave_untimed(gate, evidence);
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

Gate ceiling_share(const Evidence& evidence, const CeilingTarget& target) {
  Gate gate{.name = GateName::time,
            .subject = target.of,
            .target = at_least(target.at_least * 100, "%"),
            .unit = "%"};
  const VariantTimes* times = times_of(evidence, VariantName::mine);
  if (times == nullptr || !evidence.timed) {
    leave_untimed(gate, evidence);
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
                ceiling_title(target.of) + ")." + again_note(evidence);
  if (gate.outcome == Outcome::inconclusive) gate.advice = quieter;
  if (gate.outcome == Outcome::fail)
    gate.advice = "Look at the counters for what limits it now; " + next_hint(evidence) +
                  " gives the next hint.";
  doubt_failure(gate, reached);
  // A slower flawed kernel flatters no share of a ceiling.
  doubt_pass(gate, evidence, std::numeric_limits<double>::infinity());
  return gate;
}

}  // namespace klab::gates
