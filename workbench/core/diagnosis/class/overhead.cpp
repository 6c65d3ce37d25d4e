// Overhead: the time goes into starting, waiting and idling, not into the kernel's work.
#include <algorithm>

#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"
#include "core/diagnosis/utilization.hpp"
#include "core/measure/format.hpp"

namespace klab::rules {
namespace {

using namespace thresholds;

/// One way in which overhead shows.
enum class Way { launches, idle_device, idle_multiprocessors };
struct Sign {
  Way way;
  double points = 0;  ///< beyond the threshold; negative: the sign is not there
  EvidenceRow evidence;
  std::string distance;
};

/// The launch-cost test: the time of one kernel against that of an empty one.
Ruled<Sign> launch_cost(const KernelFacts& facts) {
  const auto kernels = facts.value("kernels_executed");
  const auto empty = facts.ceilings.find("empty_launch");
  Ruled<Sign> ruled{.lacks = facts.lacks({"kernels_executed"})};
  if (!facts.seconds) ruled.lacks.push_back({"Time of one run", "not measured"});
  if (empty == facts.ceilings.end())
    ruled.lacks.push_back({"Cost of an empty launch", unmeasured_remedy});
  if (!ruled.lacks.empty() || *kernels < 1 || !(empty->second > 0)) return ruled;
  const double launches = *facts.seconds / *kernels / empty->second;
  EvidenceRow evidence{"Time of one kernel, in empty launches", launches, "x", Source::measured,
                       "below " + format_ratio(overhead_launches) + " the start costs the most"};
  // As a share of the threshold, to compare with the other signs: half of it is 50 points.
  const double points = 100 * (1 - launches / overhead_launches);
  ruled.found = Sign{Way::launches, points, evidence,
                     "a kernel takes " + format_ratio(launches) + " as long as an empty one"};
  return ruled;
}

Ruled<Sign> idle_device(const KernelFacts& facts) {
  const auto idle = facts.value("gpu_idle_pct");
  if (!idle) return {.lacks = {facts.lack("gpu_idle_pct")}};
  return {.found = Sign{Way::idle_device, *idle - idle_pct,
                        facts.evidence("gpu_idle_pct", "above " + format_percent(idle_pct) +
                                                           " the device waits for the host"),
                        "the device is idle for " + format_percent(*idle) + " of a run"}};
}

Ruled<Sign> idle_multiprocessors(const KernelFacts& facts) {
  const auto share = active_multiprocessors(facts);
  if (!share) return {.lacks = facts.lacks({"sm_active_cycles", "profiled_duration", "sm_clock"})};
  const double active = *share;
  EvidenceRow evidence{"Multiprocessors with work, share of the time", active, "%",
                       Source::measured,
                       "below " + format_percent(active_multiprocessors_pct) +
                           " most of the device has nothing to do"};
  return {.found =
              Sign{Way::idle_multiprocessors, active_multiprocessors_pct - active, evidence,
                   "multiprocessors have work for " + format_percent(active) + " of the time"}};
}

/// What one kernel alone shows: too few blocks, a device that waits for the host, or a kernel that
/// is over too soon to be worth its start.
std::string sentence(Way way, const KernelFacts& facts) {
  const auto kernels = facts.value("kernels_executed");
  if (kernels && *kernels > 1)
    return "Most of the time goes into starting " + format_count(kernels) +
           " short kernels and into what lies between them; the kernels' own work is small.";
  if (way == Way::idle_multiprocessors)
    return "Most multiprocessors have nothing to do: the launch is too small for this device.";
  if (way == Way::idle_device)
    return "The device waits: for much of the run it has nothing to do but what the host still has "
           "to order, allocate or copy.";
  return "Most of the time goes into starting the kernel: it is over so soon that its own work "
         "hardly counts.";
}

std::vector<Experiment> experiments(Way way, bool many_kernels) {
  if (!many_kernels && way == Way::idle_device)
    return {{"Look at the timeline for the calls and copies of the host that lie in the gaps.",
             "The call that the device waits for stands above the gap."},
            {"Move allocations out of the run, and let copies run while a kernel works.",
             "If the gaps close, the device had been waiting for them."}};
  if (!many_kernels && way == Way::launches)
    return {{"Run a problem four times as large.",
             "If the time hardly grows, starting the kernel is what it consists of."},
            {"Give this kernel the work of the one before or after it.",
             "Each launch that goes saves about the time of an empty one."}};
  if (!many_kernels)
    return {
        {"Give the device more blocks: smaller blocks, or less work for each thread.",
         "If the time falls, multiprocessors were standing idle; it stops falling once each has "
         "several blocks."},
        {"Run a problem four times as large.",
         "If the time hardly grows, the device had room to spare."}};
  return {{"Record the launches of one run into a CUDA graph, and wait for the device once at its "
           "end.",
           "If the time falls towards the sum of the kernels' own times, starting and waiting were "
           "what you paid for."},
          {"Let one launch do the work of several.",
           "The time falls about as the number of launches does, as long as starting them is what "
           "it consists of."}};
}

}  // namespace

Ruled<Limit> overhead(const KernelFacts& facts) {
  Ruled<Limit> ruled;
  std::vector<Sign> there;
  for (const auto sign : {&launch_cost, &idle_device, &idle_multiprocessors}) {
    Ruled<Sign> seen = sign(facts);
    ruled.lacks.insert(ruled.lacks.end(), seen.lacks.begin(), seen.lacks.end());
    if (seen.found && seen.found->points > 0) there.push_back(std::move(*seen.found));
  }
  if (there.empty()) return ruled;
  const Sign& clearest = *std::max_element(
      there.begin(), there.end(), [](const Sign& a, const Sign& b) { return a.points < b.points; });

  const auto kernels = facts.value("kernels_executed");
  const bool many_kernels = kernels && *kernels > 1;
  Limit limit{.bottleneck = Bottleneck::overhead,
              .margin_points = clearest.points,
              .distance = clearest.distance,
              .experiments = experiments(clearest.way, many_kernels)};
  limit.sentence = sentence(clearest.way, facts);
  for (Sign& sign : there) limit.evidence.push_back(std::move(sign.evidence));
  for (const char* metric : {"kernels_executed", "host_synchronizations"})
    if (facts.value(metric)) limit.evidence.push_back(facts.evidence(metric, "in one run"));
  ruled.found = std::move(limit);
  return ruled;
}

}  // namespace klab::rules
