// Memory: a level of the memory is busy most of the time, or kept from it by traffic that is waste.
#include <algorithm>

#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"
#include "core/diagnosis/utilization.hpp"
#include "core/measure/format.hpp"

namespace klab::rules {
namespace {

using namespace thresholds;

std::vector<Experiment> experiments(MemoryUnit level, bool saturated) {
  const Experiment fewer_bytes{
      "Halve the bytes: keep the data in 16 bits, or leave out one array for one run.",
      "If the time falls with the bytes, device memory is the limit."};
  const Experiment more_in_flight{
      "Load 16 bytes per thread, or start several independent loads before the first is used.",
      "If the rate rises with the bytes under way, memory was waiting for requests."};
  if (level == MemoryUnit::device_memory && !saturated) return {more_in_flight, fewer_bytes};
  if (level == MemoryUnit::device_memory)
    return {fewer_bytes,
            {"Compare the rate with the copy that " + Act{Verb::show_device} + " shows.",
             "Near it, only moving less can help; far below, keep more loads in flight."}};
  if (level == MemoryUnit::l2)
    return {{"Keep what a block uses twice in shared memory or registers.",
             "The traffic of L2 falls, and the time with it."},
            {"Change the order in which blocks walk the data, so that neighbours in time are "
             "neighbours in memory.",
             "If the hit rates rise and the time falls, it was the order."}};
  return {{"Load 8 or 16 bytes per thread instead of 4, and keep values in registers.",
           "Fewer passes through L1; if the time falls with them, L1 was the limit."},
          {"Pad or swizzle the shared tile.",
           "If passes per access fall to their least, conflicts were the reason."}};
}

/// By how many points the traffic's waste is beyond its threshold; nullopt if it is not.
std::optional<double> waste_points(const KernelFacts& facts, const Utilization& use) {
  if (use.memory->pct < least_memory_pct || use.memory->pct - use.arithmetic->pct < balanced_points)
    return std::nullopt;
  double points = excess_pct(facts).value_or(0) - wasted_sectors_pct;
  // Twice the threshold's traffic counts as much as all sectors being waste.
  if (const auto times = facts.value("dram_bytes_of_minimum"))
    points = std::max(points, wasted_sectors_pct * (*times / repeated_traffic_times - 1));
  return points > 0 ? std::optional(points) : std::nullopt;
}

void show_waste(Limit& limit, const KernelFacts& facts) {
  const auto show = [&](std::string_view metric, const char* says) {
    if (const auto value = facts.value(metric); value && *value > 1)
      limit.evidence.push_back(facts.evidence(metric, says));
  };
  for (const GlobalAccess& access : global_accesses)
    if (!touches_few_sectors(facts, access)) show(access.excess_pct, "not asked for");
  show("dram_bytes_of_minimum", "1x is possible");
}

std::string sentence(const Utilization& use, bool busy) {
  if (busy && use.memory->pct < saturated_pct)
    return "Memory is used most, though it is not at its limit: " + use.memory->doing +
           ", while arithmetic has time to spare.";
  if (busy)
    return "Memory is the limit: " + use.memory->doing + ", while arithmetic has time to spare.";
  return "Memory is the limit, and most of what it moves is not needed: " + use.memory->doing +
         ", and scattered or repeated traffic keeps it from more.";
}

}  // namespace

Ruled<Limit> memory(const KernelFacts& facts) {
  const Utilization use = utilization(facts);
  if (!use.arithmetic || !use.memory) return {.lacks = use.lacks};
  const double beyond = use.memory->pct - busy_pct;
  const bool ahead = use.memory->pct - use.arithmetic->pct >= balanced_points;
  const auto wasted = waste_points(facts, use);
  if (!ahead || (beyond < 0 && !wasted)) return {.lacks = use.lacks};

  Limit limit{.bottleneck = Bottleneck::memory,
              .level = use.memory->level,
              .sentence = sentence(use, beyond >= 0),
              .evidence = {use.memory->evidence, use.arithmetic->evidence},
              .experiments = experiments(*use.memory->level, use.memory->pct >= saturated_pct)};
  if (wasted) show_waste(limit, facts);
  limit.margin_points = std::max(beyond, wasted.value_or(beyond));
  limit.distance = beyond >= limit.margin_points
                       ? format_percent(use.memory->pct) + ", and a unit counts as busy from " +
                             format_percent(busy_pct) + " on"
                       : "its waste, more than its rate of " + format_percent(use.memory->pct);
  return {.found = std::move(limit)};
}

}  // namespace klab::rules
