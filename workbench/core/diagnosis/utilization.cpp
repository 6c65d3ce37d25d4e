// The busiest unit of arithmetic and of memory.
#include "core/diagnosis/utilization.hpp"

#include <algorithm>

#include "core/diagnosis/thresholds.hpp"
#include "core/measure/format.hpp"

namespace klab::rules {
namespace {

struct Unit {
  std::string_view metric;
  std::string_view name;
  std::optional<MemoryUnit> level = {};
};
Unit of_memory(std::string_view metric, MemoryUnit level) {
  return {metric, to_string(level), level};
}

constexpr Unit arithmetic_units[] = {{"instruction_throughput_pct", "the issue of instructions"},
                                     {"tensor_pipe_pct", "the tensor pipe"},
                                     {"fma_pipe_pct", "the FP32 pipe"},
                                     {"alu_pipe_pct", "the integer and logic pipe"},
                                     {"xu_pipe_pct", "the special function pipe"}};
const Unit memory_units[] = {of_memory("dram_throughput_pct", MemoryUnit::device_memory),
                             of_memory("l2_throughput_pct", MemoryUnit::l2),
                             of_memory("l1_throughput_pct", MemoryUnit::l1_and_shared),
                             of_memory("lsu_pipe_pct", MemoryUnit::l1_and_shared)};

std::string says() { return "the limit from " + format_percent(thresholds::saturated_pct) + " on"; }

template <std::size_t n>
std::optional<Busiest> busiest(const KernelFacts& facts, const Unit (&units)[n]) {
  std::optional<Busiest> best;
  for (const Unit& unit : units) {
    const auto pct = facts.value(unit.metric);
    if (pct && (!best || *pct > best->pct))
      best = Busiest{
          std::string(unit.name), *pct,
          std::string(unit.name) + " is busy for " + format_percent(*pct) + " of what it can do",
          facts.evidence(unit.metric, says()), unit.level};
  }
  return best;
}

/// Device memory against the copy measured on this device.
std::optional<Busiest> against_copy(const KernelFacts& facts) {
  const auto rate = facts.value("dram_bytes_per_s");
  const auto copy = facts.ceilings.find("dram_copy");
  if (!rate || copy == facts.ceilings.end() || !(copy->second > 0)) return std::nullopt;
  const double pct = 100 * *rate / copy->second;
  EvidenceRow evidence = facts.evidence("dram_bytes_per_s", says());
  evidence.label = "Device memory rate, of the measured copy";
  evidence.value = pct;
  evidence.unit = "%";
  // A kernel that reads more than it writes can pass the copy.
  return Busiest{"device memory", pct,
                 "device memory runs at " + format_percent(pct) + " of this device's own copy",
                 evidence, MemoryUnit::device_memory};
}

}  // namespace

Utilization utilization(const KernelFacts& facts) {
  Utilization use{busiest(facts, arithmetic_units), busiest(facts, memory_units), {}};
  if (auto copy = against_copy(facts); copy && (!use.memory || copy->pct > use.memory->pct))
    use.memory = std::move(copy);
  use.lacks = facts.lacks({"instruction_throughput_pct", "dram_throughput_pct", "l2_throughput_pct",
                           "l1_throughput_pct"});
  return use;
}

std::optional<double> active_multiprocessors(const KernelFacts& facts) {
  const auto active = facts.value("sm_active_cycles"), seconds = facts.value("profiled_duration"),
             clock = facts.value("sm_clock");
  if (!active || !seconds || !clock || !(*seconds * *clock > 0)) return std::nullopt;
  return std::min(100.0, 100 * *active / (*seconds * *clock));
}

bool touches_few_sectors(const KernelFacts& facts, const GlobalAccess& access) {
  const auto sectors = facts.value(access.sectors_per_request);
  return sectors && *sectors < thresholds::full_warp_sectors;
}

std::optional<double> excess_pct(const KernelFacts& facts) {
  std::optional<double> most;
  for (const GlobalAccess& access : global_accesses)
    if (const auto excess = facts.value(access.excess_pct))
      most = std::max(most.value_or(0), touches_few_sectors(facts, access) ? 0 : *excess);
  return most;
}

}  // namespace klab::rules
