// The gate cause: the counter that the lab is about is within its bound.
#include "core/judge/gates.hpp"

#include "core/base/text.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/format.hpp"
#include "core/timing/clock_doubt.hpp"

namespace klab::gates {
namespace {

std::optional<double> profiled_duration(const Evidence& evidence) {
  const auto profiled = evidence.counters.find("profiled_duration");
  return profiled == evidence.counters.end() ? std::nullopt : profiled->second.value;
}

/// Counters of a launch that took much longer or shorter than the timed ones prove nothing of
/// those; nor do those of one that may have seen that it was not timed.
void doubt_counters(Gate& gate, const Evidence& evidence) {
  if (gate.outcome != Outcome::pass || gate.source != Source::measured ||
      evidence.lab->timing != TimingMode::device)
    return;
  if (evidence.counted_shape.asks_if_done) {
    gate.outcome = Outcome::inconclusive;
    gate.detail +=
        " But launch() asks how far a stream or an event is, or how much memory is free, and the "
        "answer differs between a counted launch and a timed one.";
    gate.advice = "Give the device its work without asking how far it is, or what it holds.";
    return;
  }
  const VariantTimes* times = times_of(evidence, VariantName::mine);
  const auto profiled_s = profiled_duration(evidence);
  if (times == nullptr || !profiled_s ||
      same_duration(*profiled_s, times->seconds->median, evidence.counted_shape,
                    allocates(evidence.counters)))
    return;
  gate.outcome = Outcome::inconclusive;
  gate.detail += " But the launch that was counted took " + format_seconds(*profiled_s) +
                 ", and the timed ones " + format_seconds(times->seconds->median) +
                 ": they may not have done the same.";
  gate.advice =
      "Let every launch do the same work, whatever happened before. If it does, close other "
      "programs on this GPU and check again.";
}

/// Why a counter cannot be held against its bound, and what would help.
void explain_missing(Gate& gate, const MissingReason& reason) {
  if (reason.empty()) {
    leave_unreached(gate, "Not counted, " + std::string(earlier_gate));
  } else if (reason.kind == MissingKind::nothing_counted) {
    gate.detail = "The kernel did nothing of the kind that this counter is a ratio of.";
    gate.advice = "Do the work through the accesses that the lab is about; " + Act{Verb::metrics} +
                  " says what is counted.";
  } else if (reason.kind == MissingKind::needs_gpu || reason.kind == MissingKind::unseen_spills) {
    gate.detail = reason.kind == MissingKind::needs_gpu ? "Only a GPU can show this counter."
                                                        : shell_words(words_of(reason));
    gate.advice = "Check it on a machine with a GPU.";
  } else if (reason.kind == MissingKind::not_in_report) {
    gate.outcome = Outcome::inconclusive;
    gate.detail = shell_words(words_of(reason));
    gate.advice = "Put the kernel into the file as CUDA C++, so that the compiler reports on it.";
  } else if (reason.kind == MissingKind::failed) {
    gate.detail = reason.about;
    gate.advice = reason.remedy;
    gate.basis = Basis::error;
  } else {
    gate.detail = capitalized(shell_words(words_of(reason)));
    if (gate.detail.back() != '.') gate.detail += '.';
  }
}

/// A copy within the device in place of a kernel's loads and stores moves the same bytes, and no
/// counter of kernels sees it.
double with_copies(double counted, const CauseTarget& asked, const Evidence& evidence) {
  if (asked.metric != sectors_metric || !evidence.counted_least) return counted;
  const double least = evidence.counted_least->bytes();
  return least > 0 ? counted + bytes_beside_kernels(evidence.counters) / least : counted;
}

/// Between the kernels and copies of a launch a profiler lets time pass that a timed launch does
/// not have, and each share of the elapsed time gets smaller by it.
double without_gaps(double counted, const Metric* metric, const Evidence& evidence) {
  const VariantTimes* times = times_of(evidence, VariantName::mine);
  const auto profiled_s = profiled_duration(evidence);
  if (metric == nullptr || metric->unit != "%" ||
      metric->cupti.find("elapsed") == std::string_view::npos ||
      evidence.counted_shape.one_kernel || evidence.lab->timing != TimingMode::device ||
      times == nullptr || !profiled_s || *profiled_s <= times->seconds->median)
    return counted;
  return std::max(counted, std::min(100.0, counted * *profiled_s / times->seconds->median));
}

/// A launch of several kernels may have had copies and fills between them. Where no trace shows
/// those, the kernels' own traffic is a lower bound, and tells nothing of an upper one.
void doubt_unseen_copies(Gate& gate, const Evidence& evidence) {
  if (gate.outcome != Outcome::pass || gate.subject != sectors_metric ||
      evidence.counted_shape.one_kernel || knows_bytes_beside_kernels(evidence.counters))
    return;
  gate.outcome = Outcome::inconclusive;
  gate.detail +=
      " But a launch of several kernels may copy and fill memory between them, and no trace of "
      "this one could be taken.";
  gate.advice = "Close other programs that profile on this machine and check again.";
}

}  // namespace

Gate cause(const Evidence& evidence, const CauseTarget& asked) {
  const Metric* metric = find_metric(asked.metric);
  Gate gate{.name = GateName::cause, .subject = asked.metric};
  if (metric != nullptr) gate.unit = metric->unit;
  gate.target = Target{asked.target, gate.unit};
  const auto found = evidence.counters.find(asked.metric);
  if (found == evidence.counters.end() || !found->second.value) {
    explain_missing(gate,
                    found == evidence.counters.end() ? MissingReason() : found->second.reason);
    return gate;
  }
  const double copied = with_copies(*found->second.value, asked, evidence);
  gate.measured = without_gaps(copied, metric, evidence);
  gate.source = found->second.source;
  gate.outcome = asked.target.holds(*gate.measured) ? Outcome::pass : Outcome::fail;
  gate.detail = capitalized(asked.why);
  if (!gate.detail.empty() && gate.detail.back() != '.') gate.detail += '.';
  if (copied > *found->second.value)
    gate.detail += " Of these, copies and fills beside the kernels moved " +
                   format_value(copied - *found->second.value, gate.unit) + '.';
  if (*gate.measured > copied)
    gate.detail += " The profiler saw " + format_value(copied, gate.unit) +
                   ", with the time that it takes itself between kernels and copies.";
  // What the counter shows is the symptom; what to do about it, the hints tell one step at a time.
  if (gate.outcome == Outcome::fail)
    gate.advice = next_hint(evidence) + Advice(" says, one step at a time, where to look.");
  doubt_unseen_copies(gate, evidence);
  doubt_counters(gate, evidence);
  return gate;
}

}  // namespace klab::gates
