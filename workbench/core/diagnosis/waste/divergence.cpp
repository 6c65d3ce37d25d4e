// Waste: threads of a warp that stand still while others of it take another path.
#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"
#include "core/measure/format.hpp"
#include "core/measure/occupancy.hpp"

namespace klab::rules {

Ruled<Waste> divergence(const KernelFacts& facts) {
  using namespace thresholds;
  const auto threads = facts.value("threads_per_instruction");
  if (!threads) return {.lacks = {facts.lack("threads_per_instruction")}};
  if (*threads >= least_threads) return {};
  Waste waste{
      .name = "divergence",
      .sentence = "Only " + format_number(threads) +
                  " of a warp's 32 threads take part in an average instruction: " +
                  format_percent(100 * (1 - *threads / warp_threads)) +
                  " of what the warps could do is lost.",
      .evidence = {facts.evidence("threads_per_instruction", "32 is possible")},
      .experiment = {"Regroup the work so that the 32 threads of a warp take the same path.",
                     "Threads per instruction rise towards 32.",
                     "If arithmetic is the limit, the time falls as much."}};
  for (const char* metric : {"branch_uniform_pct", "divergent_branches"})
    if (facts.value(metric)) waste.evidence.push_back(facts.evidence(metric, "at branches"));
  return {.found = std::move(waste)};
}

}  // namespace klab::rules
