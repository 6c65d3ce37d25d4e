// Waste: a host that waits for the device again and again within one run.
#include <algorithm>

#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"
#include "core/measure/format.hpp"

namespace klab::rules {

Ruled<Waste> host_waits(const KernelFacts& facts) {
  const auto waits = facts.value("host_synchronizations");
  if (!waits) return {.lacks = {facts.lack("host_synchronizations")}};
  const auto kernels = facts.value("kernels_executed");
  if (*waits < std::max(thresholds::least_host_waits,
                        thresholds::host_waits_per_kernel * kernels.value_or(0)))
    return {};
  Waste waste{.name = "host waits",
              .sentence = "The host waits for the device " + format_count(waits) +
                          " times in one run; each time the device runs dry.",
              .evidence = {facts.evidence("host_synchronizations", "1 is possible")},
              .experiment = {"Let the stream keep the order, and wait once at the end.",
                             "The host waits once.",
                             "The gaps between the kernels close; a timeline shows it."}};
  for (const char* metric : {"device_to_host_copies", "kernels_executed"})
    if (facts.value(metric)) waste.evidence.push_back(facts.evidence(metric, "in the same run"));
  return {.found = std::move(waste)};
}

}  // namespace klab::rules
