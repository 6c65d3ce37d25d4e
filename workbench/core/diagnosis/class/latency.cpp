// Latency: nothing is busy; the warps wait, and there are not enough of them, or not enough
// independent work in each, to fill the time.
#include <algorithm>

#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"
#include "core/diagnosis/utilization.hpp"
#include "core/measure/format.hpp"
#include "core/measure/stall_reasons.hpp"

namespace klab::rules {
namespace {

using namespace thresholds;

/// How waiting shows in counters, and what to read them against.
constexpr std::pair<const char*, const char*> waiting_signs[] = {
    {"warps_active_pct", "of the warps that fit"},
    {"eligible_warps", "below 1 there often is none"},
    {"issue_active_pct", "100 % is possible"}};

/// The reason that most samples of waiting warps name; nullptr without samples.
const std::pair<const std::string, double>* leading_stall(const KernelFacts& facts) {
  const std::pair<const std::string, double>* leading = nullptr;
  for (const auto& stall : facts.stalls_pct) {
    const StallReason* reason = find_stall_reason(stall.first);
    if (reason && reason->kind == StallKind::issuing) continue;
    if (!leading || stall.second > leading->second) leading = &stall;
  }
  return leading;
}

std::string label_of(const std::string& reason) {
  const StallReason* known = find_stall_reason(reason);
  return known ? std::string(known->label) : reason;
}

std::string lower_first(std::string text) {
  if (!text.empty() && text.front() >= 'A' && text.front() <= 'Z') text.front() += 'a' - 'A';
  return text;
}

Experiment more_in_flight() {
  return {
      "Let each thread start several independent loads or operations before it uses the first "
      "result.",
      "If the time falls, waiting was exposed; if not, the results depend on each other in a "
      "chain."};
}

Experiment more_warps(bool few) {
  if (few)
    return {
        "Make more warps resident: fewer registers or less shared memory per block, or another "
        "block size.",
        "If the time falls with the occupancy, there were too few warps to hide the waiting."};
  return {
      "Halve the number of resident warps, for one run.",
      "If the time hardly changes, more warps cannot help either: shorten what each waits for."};
}

}  // namespace

Ruled<Limit> latency(const KernelFacts& facts) {
  const Utilization use = utilization(facts);
  if (!use.complete()) return {.lacks = use.lacks};
  const double busiest = std::max(use.arithmetic->pct, use.memory->pct);
  if (busiest >= busy_pct) return {};
  const auto warps = facts.value("warps_active_pct");
  const bool few = warps && *warps < few_warps_pct;
  const auto* stall = leading_stall(facts);

  Limit limit{.bottleneck = Bottleneck::latency,
              .evidence = {use.arithmetic->evidence, use.memory->evidence},
              .margin_points = busy_pct - busiest,
              .distance = "the busiest unit is at " + format_percent(busiest) +
                          ", and would count as busy from " + format_percent(busy_pct) + " on"};
  limit.sentence = "The warps wait: neither arithmetic (" + format_percent(use.arithmetic->pct) +
                   ") nor memory (" + format_percent(use.memory->pct) + ") is busy";
  if (stall && stall->second >= leading_stall_pct)
    limit.sentence +=
        ", and most of the waiting is for one thing: " + lower_first(label_of(stall->first));
  else if (few)
    limit.sentence += ", and only " + format_percent(*warps) + " of the warps that fit are there";
  limit.sentence += ".";
  for (const auto& [metric, says] : waiting_signs)
    if (facts.value(metric)) limit.evidence.push_back(facts.evidence(metric, says));
  if (stall)
    limit.evidence.push_back({"Waiting for: " + lower_first(label_of(stall->first)), stall->second,
                              "%", Source::measured, "of the samples"});
  if (stall && stall->second >= leading_stall_pct && !stall_advice(stall->first).empty())
    limit.experiments.push_back({stall_advice(stall->first),
                                 "Its share of the samples falls; if the time does too, it was "
                                 "what the warps waited for."});
  limit.experiments.push_back(few ? more_warps(true) : more_in_flight());
  limit.experiments.push_back(few ? more_in_flight() : more_warps(false));
  return {.found = std::move(limit)};
}

}  // namespace klab::rules
