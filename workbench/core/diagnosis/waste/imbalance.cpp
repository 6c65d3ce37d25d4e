// Waste: multiprocessors that are done while the busiest still works.
#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"
#include "core/diagnosis/utilization.hpp"
#include "core/measure/format.hpp"

namespace klab::rules {

Ruled<Waste> imbalance(const KernelFacts& facts) {
  const auto pct = facts.value("sm_imbalance_pct");
  if (!pct) return {.lacks = {facts.lack("sm_imbalance_pct")}};
  if (*pct < thresholds::imbalance_pct) return {};
  // Kernels too short to fill the device are never even; that is overhead.
  if (active_multiprocessors(facts).value_or(100) < thresholds::active_multiprocessors_pct)
    return {};
  return {.found = Waste{
              .name = "imbalance",
              .sentence = "The average multiprocessor works " + format_percent(pct) +
                          " shorter than the busiest one.",
              .evidence = {facts.evidence("sm_imbalance_pct", "0 is possible")},
              .experiment = {"Use more and smaller blocks, or let blocks fetch their next piece of "
                             "work.",
                             "The imbalance falls, and the time by about as much."}}};
}

}  // namespace klab::rules
