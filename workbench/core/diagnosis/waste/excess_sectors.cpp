// Waste: 32-byte sectors that move although nobody asked for their bytes.
#include <algorithm>

#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"
#include "core/diagnosis/utilization.hpp"
#include "core/measure/format.hpp"

namespace klab::rules {
namespace {

using namespace thresholds;

Experiment coalesce() {
  return {"Let neighbouring threads access neighbouring words.",
          "Sectors per request fall to 4 (4-byte words) or 16 (16-byte words), and the traffic to "
          "what the task needs."};
}

/// From sectors per request alone: more than 16 cannot all be asked for.
Ruled<Waste> from_requests(const KernelFacts& facts) {
  std::optional<double> worst;
  Waste waste{.name = "excess sectors", .experiment = coalesce()};
  for (const GlobalAccess& access : global_accesses) {
    const auto sectors = facts.value(access.sectors_per_request);
    if (!sectors || *sectors <= most_useful_sectors + 0.5) continue;
    worst = std::max(worst.value_or(0), *sectors);
    waste.evidence.push_back(facts.evidence(access.sectors_per_request, "4 to 16 are possible"));
  }
  if (!worst) {
    if (facts.value("global_load_sectors_per_request") ||
        facts.value("global_store_sectors_per_request"))
      return {};
    return {.lacks = facts.lacks({"global_load_excess_pct", "global_load_sectors_per_request"})};
  }
  waste.sentence = "An access of a warp touches " + format_number(worst) +
                   " sectors of memory, where 4 to 16 would hold all that it asks for.";
  return {.found = std::move(waste)};
}

}  // namespace

Ruled<Waste> excess_sectors(const KernelFacts& facts) {
  const auto excess = excess_pct(facts);
  if (!excess) return from_requests(facts);
  if (*excess < excess_sectors_pct) return {};
  // Where memory hardly works, its waste costs no time.
  const Utilization use = utilization(facts);
  if (use.memory && use.memory->pct < memory_matters_pct) return {};
  Waste waste{.name = "excess sectors",
              .sentence = format_percent(excess) +
                          " of the sectors that an access moves hold nothing that was asked for.",
              .experiment = coalesce()};
  const auto show = [&](std::string_view GlobalAccess::*metric, const char* says) {
    for (const GlobalAccess& access : global_accesses)
      if (!touches_few_sectors(facts, access) && facts.value(access.*metric))
        waste.evidence.push_back(facts.evidence(access.*metric, says));
  };
  show(&GlobalAccess::excess_pct, "0 % is possible");
  show(&GlobalAccess::sectors_per_request, "4 to 16 are possible");
  return {.found = std::move(waste)};
}

}  // namespace klab::rules
