// Waste: extra passes through shared memory because threads of a warp meet in one bank.
#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"
#include "core/measure/format.hpp"

namespace klab::rules {

Ruled<Waste> bank_conflicts(const KernelFacts& facts) {
  using namespace thresholds;
  Ruled<Waste> ruled{.lacks = facts.lacks({"shared_bank_conflicts", "shared_load_wavefronts",
                                           "shared_store_wavefronts"})};
  if (!ruled.lacks.empty()) return ruled;
  const double passes =
      *facts.value("shared_load_wavefronts") + *facts.value("shared_store_wavefronts");
  if (!(passes > 0)) return {};
  const double share = 100 * *facts.value("shared_bank_conflicts") / passes;
  if (share < bank_conflicts_pct) return {};
  // Where shared memory hardly works, its conflicts cost no time.
  if (facts.value("l1_throughput_pct").value_or(100) < memory_matters_pct) return {};
  ruled.found = Waste{
      .name = "bank conflicts",
      .sentence = format_percent(share) +
                  " of the passes through shared memory are repeats, because threads of a warp "
                  "need different words of one bank.",
      .evidence = {facts.evidence("shared_bank_conflicts", "0 is possible"),
                   {"Passes through shared memory", passes, "wavefronts",
                    facts.evidence("shared_load_wavefronts", "").source, "loads and stores"}},
      .experiment = {"Pad the rows of the shared tile by one word, or swizzle its index.",
                     "The conflicts go to nearly 0.",
                     "The time falls if shared memory was the limit."}};
  return ruled;
}

}  // namespace klab::rules
