// Waste: bytes that pass device memory more often than the task needs.
#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"
#include "core/diagnosis/utilization.hpp"
#include "core/measure/format.hpp"

namespace klab::rules {

Ruled<Waste> repeated_traffic(const KernelFacts& facts) {
  using namespace thresholds;
  const auto times = facts.value("dram_bytes_of_minimum");
  if (!times) return {.lacks = {facts.lack("dram_bytes_of_minimum")}};
  if (*times < traffic_worth_a_word) return {};
  const Utilization use = utilization(facts);
  if (use.memory && use.memory->pct < memory_matters_pct) return {};
  Waste waste{.name = "repeated traffic",
              .sentence = "Device memory moves " + format_ratio(times) +
                          " the bytes that the task must move.",
              .evidence = {facts.evidence("dram_bytes_of_minimum", "1x is possible"),
                           facts.evidence("dram_bytes", "in one run")},
              .experiment = {"Read each input once and write each output once: fuse kernels, and "
                             "keep what is used again in registers or shared memory.",
                             "The traffic falls towards 1x; the time falls with it while memory is "
                             "the limit."}};
  if (const auto kernels = facts.value("kernels_executed"); kernels && *kernels > 1)
    waste.evidence.push_back(
        facts.evidence("kernels_executed", "each reads what the one before it wrote"));
  return {.found = std::move(waste)};
}

}  // namespace klab::rules
