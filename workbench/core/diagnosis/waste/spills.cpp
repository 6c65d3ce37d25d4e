// Waste: values that travel to local memory and back because registers ran out.
#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"
#include "core/measure/format.hpp"

namespace klab::rules {

Ruled<Waste> spills(const KernelFacts& facts) {
  const auto spilled = facts.value("spill_bytes");
  const auto loads = facts.value("local_load_sectors");
  if (!spilled && !loads) return {.lacks = facts.lacks({"spill_bytes", "local_load_sectors"})};
  const bool is_spill = spilled.value_or(0) > thresholds::spilled_bytes;
  const bool is_array = spilled.value_or(0) == 0 && loads.value_or(0) > 0;
  if (!is_spill && !is_array) return {};
  Waste waste{.name = "local memory"};
  if (is_spill)
    waste = {.name = "register spills",
             .sentence = "Registers ran out: the code of one thread stores and loads " +
                         format_bytes(spilled) + " of values that found no register.",
             .experiment = {"Raise the limit of registers (launch bounds, __maxnreg__), or keep "
                            "fewer values alive.",
                            "The compiler's report says 0 bytes spilled, and the local traffic is "
                            "gone."}};
  else
    waste = {.name = "local memory",
             .sentence =
                 "An array of each thread lies in memory instead of registers, because its "
                 "index is not known when compiling.",
             .experiment = {"Unroll the loops over that array, so that every index is a constant.",
                            "The local sectors go to 0."}};
  for (const char* metric :
       {"spill_bytes", "stack_bytes", "local_load_sectors", "local_store_sectors"})
    if (const auto value = facts.value(metric); value && *value > 0)
      waste.evidence.push_back(facts.evidence(metric, "0 is possible"));
  return {.found = std::move(waste)};
}

}  // namespace klab::rules
