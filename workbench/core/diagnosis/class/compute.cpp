// Compute: a unit that does arithmetic, or the issue of instructions, is busy most of the time.
#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"
#include "core/diagnosis/utilization.hpp"
#include "core/measure/format.hpp"

namespace klab::rules {

Ruled<Limit> compute(const KernelFacts& facts) {
  using namespace thresholds;
  const Utilization use = utilization(facts);
  if (!use.arithmetic || use.arithmetic->pct < busy_pct) return {.lacks = use.lacks};
  if (!use.memory) return {.lacks = use.lacks};
  if (use.arithmetic->pct - use.memory->pct < balanced_points) return {};
  const double points = use.arithmetic->pct - busy_pct;
  return {.found = Limit{
              .bottleneck = Bottleneck::compute,
              .sentence = (use.arithmetic->pct < saturated_pct
                               ? "Arithmetic is used most, though it is not at its limit: "
                               : "Arithmetic is the limit: ") +
                          use.arithmetic->unit + " is busy for " +
                          format_percent(use.arithmetic->pct) +
                          " of what it can do, while memory has time to spare.",
              .evidence = {use.arithmetic->evidence, use.memory->evidence},
              .margin_points = points,
              .distance = format_percent(use.arithmetic->pct) +
                          ", and a unit counts as busy from " + format_percent(busy_pct) + " on",
              .experiments = {
                  {"Let one load of the inner loop read the same address every time, for one run.",
                   "If the time stays the same, memory is not what it waits for."},
                  {"Take operations out of the innermost loop: hoist what does not change, combine "
                   "factors, use a cheaper formula.",
                   "The time falls in step with the instructions, as long as arithmetic is the "
                   "limit."}}}};
}

}  // namespace klab::rules
