// Balanced: arithmetic and memory are both busy, and about equally.
#include <algorithm>
#include <cmath>

#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"
#include "core/diagnosis/utilization.hpp"
#include "core/measure/format.hpp"

namespace klab::rules {

Ruled<Limit> balanced(const KernelFacts& facts) {
  using namespace thresholds;
  const Utilization use = utilization(facts);
  if (!use.arithmetic || !use.memory) return {.lacks = use.lacks};
  const double arithmetic = use.arithmetic->pct, memory = use.memory->pct;
  const double apart = std::abs(arithmetic - memory);
  if (std::max(arithmetic, memory) < busy_pct || apart >= balanced_points) return {};
  return {.found = Limit{
              .bottleneck = Bottleneck::balanced,
              .level = use.memory->level,
              .sentence = "Arithmetic (" + use.arithmetic->unit + ", " +
                          format_percent(arithmetic) + ") and memory (" + use.memory->unit + ", " +
                          format_percent(memory) +
                          ") are about equally busy: speeding up one alone will not help much.",
              .evidence = {use.arithmetic->evidence, use.memory->evidence},
              .margin_points =
                  std::min(std::max(arithmetic, memory) - busy_pct, balanced_points - apart),
              .distance = format_number(apart) + " points apart, within the " +
                          format_number(balanced_points) + " that count as equal",
              .experiments = {
                  {"Reuse each value that is loaded: let a thread compute several results from it.",
                   "Both sides have less to do; if only one falls, the other is the limit now."},
                  {"Let one load of the inner loop read the same address every time, for one run.",
                   "How much the time falls is what memory alone was costing."}}}};
}

}  // namespace klab::rules
