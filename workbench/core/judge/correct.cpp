// The gate correct: every result is right, and no access is stray.
#include "core/judge/gates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "core/base/text.hpp"
#include "core/course/sizes/smaller_size.hpp"
#include "core/judge/checker_findings.hpp"
#include "core/judge/judge.hpp"
#include "core/judge/wrong_result.hpp"
#include "core/measure/format.hpp"

namespace klab::gates {
namespace {

const Target none_at_all{{Bound::Relation::equal, 0}, {}};

/// A number that is not zero is never written as one, and zero has its sign.
std::string text_of(const std::optional<double>& value, const std::string& fallback) {
  if (!value) return fallback;
  if (*value == 0) return std::signbit(*value) ? "-0" : "0";
  const std::string text = format_number(value);
  return text == "0" || text == "-0" ? fmt::format("{:.4g}", *value) : text;
}

/// The difference must show, also where it is small.
std::string got_and_want(const record::Verified& wrong) {
  std::string got = text_of(wrong.got, wrong.got_text), want = text_of(wrong.want, "?");
  if (got == want && wrong.got && wrong.want) {
    got = fmt::format("{:.9g}", *wrong.got);
    want = fmt::format("{:.9g}", *wrong.want);
  }
  return "got " + got + ", want " + want;
}

/// Where nothing was compared, the place that was seen first is one.
double wrong_elements(const record::Verified& wrong) {
  return static_cast<double>(std::max<std::int64_t>(1, wrong.wrong));
}

std::string describe(const record::Verified& wrong) {
  const std::string device = wrong.multiprocessors
                                 ? ", where the device says to have " +
                                       std::to_string(*wrong.multiprocessors) + " multiprocessors"
                                 : std::string();
  const std::string where =
      " at size " + to_string(wrong.size) + ", seed " + std::to_string(wrong.seed) + device;
  if (!wrong.index)
    return "The result is not accepted (" + std::string(to_string(wrong.problem)) + " in " +
           wrong.buffer + ")" + where + ".";
  // What is wrong is where something was written, not what.
  if (!wrong.want) {
    const bool is_value = wrong.problem == ResultProblem::nan_missing ||
                          wrong.problem == ResultProblem::infinity_missing;
    const std::string got = is_value ? " (got " + text_of(wrong.got, wrong.got_text) + ")" : "";
    return "The result is not accepted: " + std::string(to_string(wrong.problem)) + got +
           ", first seen at " + wrong.buffer + "[" + std::to_string(*wrong.index) + "]" + where +
           ".";
  }
  return std::to_string(wrong.wrong) + " of " + std::to_string(wrong.total) + " elements of " +
         wrong.buffer + " are wrong (" + std::string(to_string(wrong.problem)) +
         "); the first is [" + std::to_string(*wrong.index) + "]: " + got_and_want(wrong) +
         " within " + text_of(wrong.tolerance, "?") + where + ".";
}

/// What a benchmark's report has wrong, where times are what was compared.
std::optional<WrongReport> report_in(const Evidence& evidence, const record::Verified& wrong) {
  const bool is_time =
      wrong.problem == ResultProblem::wrong_value || wrong.problem == ResultProblem::nan_missing;
  if (evidence.lab->kind != LabKind::measurement || !is_time || !wrong.index) return std::nullopt;
  WrongReport report = wrong_report(wrong);
  report.what +=
      ", at size " + to_string(wrong.size) + ", seed " + std::to_string(wrong.seed) + ".";
  return report;
}

const record::Verified* first_wrong(const std::vector<record::Verified>& verified) {
  const auto found =
      std::find_if(verified.begin(), verified.end(), [](const auto& v) { return !v.correct; });
  return found == verified.end() ? nullptr : &*found;
}

/// Of what a checker found though every result was right: why it matters all the same.
std::string advice_for(FindingKind kind) {
  switch (kind) {
    case FindingKind::memory_leak:
      return "The results are right until there is no memory left.";
    case FindingKind::object_leak:
      return "The results are right, but each launch takes longer than the one before, until there "
             "is nothing left to create.";
    case FindingKind::grid_deadlock:
      return "Smaller sizes do not show it. Let as many blocks as fit loop over the task, or "
             "launch "
             "with cudaLaunchCooperativeKernel, which refuses a grid that is too large.";
    case FindingKind::out_of_reach:
      return "Smaller sizes do not show it. Count and index in std::int64_t, look at what is "
             "bounded (a table, a number of turns, a grid), and check again.";
    case FindingKind::unfinished_copy:
    case FindingKind::unfenced_copy:
    case FindingKind::shared_race:
    case FindingKind::warp_race:
    case FindingKind::block_race:
    case FindingKind::stream_race:
    case FindingKind::warp_order:
      return "The simulator runs one thing after the other, so the result is right there. On a GPU "
             "it depends on which of them comes first: put them in order, and check again.";
    case FindingKind::assertion:
      return "The kernel says itself that something is not as it should be: see what the assertion "
             "asks, and check again.";
    case FindingKind::barrier_divergence:
      return "The result may look right by luck; let all threads come to the same barrier, and "
             "check again.";
    case FindingKind::bad_shuffle_mask:
      return "The result may look right by luck; name in the mask the lanes that take part, and "
             "check again.";
    case FindingKind::misaligned:
      return "Read and write so much at once only at addresses that are multiples of it, and check "
             "again.";
    case FindingKind::call_in_host_function:
      return "Call CUDA in `launch`, in the stream's order, and leave the host function what the "
             "host has to do.";
    case FindingKind::not_in_a_row:
      return "A launch that is alone shows nothing of it.";
    default:
      return "The result may look right by luck; correct the access and check again.";
  }
}

/// What a checker found, though every result was right.
Gate finding_gate(const std::vector<record::Finding>& findings, const std::string& opening) {
  const std::vector<SeenFinding> seen = seen_once(findings);
  const FindingKind kind = seen.front().finding.kind;
  return {.name = GateName::correct,
          .subject = std::string(to_string(kind)),
          .outcome = Outcome::fail,
          .measured = static_cast<double>(seen.size()),
          .target = none_at_all,
          .unit = "findings",
          .source = Source::checked,
          .detail = opening + told(seen),
          .advice = advice_for(kind),
          .finding = kind};
}

/// What a checker saw says more of a wrong result than the result does.
std::string advice_for(const record::Verified& wrong, const Evidence& evidence) {
  const std::vector<record::Finding>& findings = evidence.findings;
  if (findings.empty()) return remedy_for(wrong, evidence.verified, evidence.flushes);
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

/// Right on this GPU, and not on the simulator.
Gate disputed(std::optional<double> wrong, const std::string& but, Advice advice) {
  return {.name = GateName::correct,
          .subject = "result",
          .outcome = Outcome::inconclusive,
          .measured = wrong,
          .target = none_at_all,
          .unit = "wrong elements",
          .source = Source::checked,
          .detail = "Right on this GPU as often as it was tried, but " + but,
          .advice = std::move(advice)};
}

/// Which of the two is at fault is not known: blocks and streams may come in another order there.
Gate wrong_elsewhere(const record::Verified& wrong) {
  return disputed(
      wrong_elements(wrong),
      "not on the simulator, which runs blocks and streams in another order: " + describe(wrong),
      "Look for an element that more than one block or stream writes, each with another value: "
      "which one comes last is luck. `--backend sim` shows it again.");
}

/// What the GPU had no room or no time for; the simulator's rules are CUDA's.
Gate refused_elsewhere(const Error& refusal) {
  return disputed({},
                  "the simulator, which tries sizes that were not tried here, may not launch it: " +
                      refusal.what,
                  refusal.remedy);
}

bool is_tried(const Evidence& evidence, const Size& size) {
  return std::any_of(evidence.verified.begin(), evidence.verified.end(),
                     [&](const auto& verified) { return verified.size == size; });
}

/// What was seen of one that was run in part.
std::string part_text(const Evidence& evidence, const Size& size) {
  const bool compared =
      std::any_of(evidence.verified.begin(), evidence.verified.end(),
                  [&](const auto& one) { return one.size == size && one.total > 0; });
  return " At " + to_string(size) + " some blocks were run: their addresses " +
         (compared ? "and results " : "") + "are right.";
}

/// What was seen beyond 32-bit indices.
std::string huge_text(const Evidence& evidence) {
  std::string text;
  std::set<Size> in_their_place;  // several may have the same one
  for (const Size& huge : evidence.lab->sizes.huge) {
    const Size smaller = just_beyond_unsigned(huge);
    if (!is_tried(evidence, huge) && is_tried(evidence, smaller) &&
        in_their_place.insert(smaller).second)
      text += " So does one at " + to_string(smaller) + ".";
    text += !is_tried(evidence, huge)
                ? " The size " + to_string(huge) + " could not be tried here as a whole."
            : evidence.simulated ? part_text(evidence, huge)
                                 : " So does one at " + to_string(huge) + ".";
  }
  return text;
}

/// Sizes beyond those of every check are left out where the kernel is too slow for them.
std::string untried_text(const Evidence& evidence) {
  std::string text;
  for (const Size& size : evidence.lab->sizes.beyond)
    if (!is_tried(evidence, size))
      text += " The size " + to_string(size) + " would have taken too long here.";
  return text;
}

/// What the second look saw go wrong where this GPU could not: work that a clock waits for, sizes
/// that it had no room or no time for, and a grid for fewer multiprocessors.
std::vector<record::Verified> told_by_simulator_alone(const Evidence& evidence) {
  std::vector<record::Verified> told;
  if (!evidence.second_look) return told;
  const SecondLook& look = *evidence.second_look;
  if (look.unjoined) told.push_back(*look.unjoined);
  if (look.wrong && (look.wrong->multiprocessors || !is_tried(evidence, look.wrong->size)))
    told.push_back(*look.wrong);
  return told;
}

}  // namespace

Gate correct(const Evidence& evidence) {
  const std::string subject = "result";
  const std::vector<record::Verified>& before = evidence.verified;
  const std::vector<record::Verified> simulated = told_by_simulator_alone(evidence);
  const std::pair<const std::vector<record::Verified>*, const char*> launches[] = {
      {&before, ""},
      {&evidence.verified_timed, "In a launch that was timed: "},
      {&evidence.verified_counted, "In a launch whose counters were read: "},
      {&simulated, "Right on this GPU as often as it was tried, but on the simulator: "}};
  for (const auto& [list, which] : launches)
    if (const record::Verified* wrong = first_wrong(*list)) {
      const auto report = report_in(evidence, *wrong);
      return {.name = GateName::correct,
              .subject = subject,
              .outcome = Outcome::fail,
              .measured = wrong_elements(*wrong),
              .target = none_at_all,
              .unit = "wrong elements",
              .source = Source::checked,
              .detail = which + (report ? report->what : describe(*wrong)),
              .advice = report               ? Advice(report->remedy)
                        : list == &before    ? advice_for(*wrong, evidence)
                        : list == &simulated ? remedy_for(wrong->problem)
                                             : remedy_for_later(wrong->problem)};
    }
  if (!evidence.findings.empty()) return finding_gate(evidence.findings, "");
  if (evidence.second_look && !evidence.second_look->findings.empty())
    return finding_gate(evidence.second_look->findings,
                        "Right on this GPU as often as it was tried, but: ");
  if (evidence.second_look && evidence.second_look->wrong)
    return wrong_elsewhere(*evidence.second_look->wrong);
  if (evidence.second_look && evidence.second_look->refused)
    return refused_elsewhere(*evidence.second_look->refused);
  for (const auto* error : {&evidence.verify_error, &evidence.time_error})
    if (*error && is_kernels_fault(**error)) return failed(GateName::correct, subject, **error);
  if (evidence.verify_error) return unknown(GateName::correct, subject, *evidence.verify_error);
  if (before.empty())
    return unknown(GateName::correct, subject, "The runner verified nothing.",
                   "Look at " + Act{Verb::doctor} + ".");
  const LabSizes& sizes = evidence.lab->sizes;
  const auto huge = std::count_if(sizes.huge.begin(), sizes.huge.end(), [&](const Size& size) {
    return is_tried(evidence, size) || is_tried(evidence, just_beyond_unsigned(size));
  });
  const auto beyond = static_cast<std::size_t>(
      std::count_if(sizes.beyond.begin(), sizes.beyond.end(),
                    [&](const Size& size) { return is_tried(evidence, size); }));
  return {.name = GateName::correct,
          .subject = subject,
          .outcome = Outcome::pass,
          .measured = 0.0,
          .target = none_at_all,
          .unit = "wrong elements",
          .source = Source::checked,
          .detail =
              std::to_string(before.size() - static_cast<std::size_t>(huge)) + " runs over " +
              std::to_string(sizes.checking.size() + beyond + evidence.drawn_sizes) + " sizes" +
              (evidence.drawn_sizes > 0
                   ? ", " + std::to_string(evidence.drawn_sizes) + " of them drawn for this check,"
                   : "") +
              " agree with the double-precision reference." + untried_text(evidence) +
              huge_text(evidence) + second_look_note(evidence)};
}

}  // namespace klab::gates
