// Limit: the busiest unit decides.
#include "core/check/limit.hpp"

#include <cmath>

#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/ceilings.hpp"
#include "core/measure/format.hpp"

namespace klab {
namespace {

/// Units with a peak of their own, as shares of it.
constexpr std::string_view units[] = {
    "dram_throughput_pct", "l2_throughput_pct", "l1_throughput_pct", "instruction_throughput_pct",
    "alu_pipe_pct",        "fma_pipe_pct",      "lsu_pipe_pct",      "xu_pipe_pct",
    "tensor_pipe_pct"};

const CounterValue* find(const Counters& counters, std::string_view name) {
  const auto found = counters.find(std::string(name));
  const bool usable =
      found != counters.end() && found->second.value && std::isfinite(*found->second.value);
  return usable ? &found->second : nullptr;
}

std::string label_of(std::string_view name) {
  const Metric* metric = find_metric(name);
  return std::string(metric ? metric->label : name);
}

/// " (measured)"
std::string labelled(Source source) { return " (" + std::string(to_string(source)) + ")"; }

/// "Its least traffic ran at 97.2 % of Copy within device memory, measured here."
std::string ceiling_words(const std::vector<Gate>& gates) {
  for (const Gate& gate : gates)
    if (const CeilingInfo* info = find_ceiling(gate.subject); info && gate.measured)
      return " The task's least work ran at " + format_percent(gate.measured) +
             " of what this device was measured to do (" + std::string(info->label) + ").";
  return {};
}

Limit idle_limit(const CounterValue& idle) {
  return {.kind = Limit::Kind::idle,
          .metric = "gpu_idle_pct",
          .percent = *idle.value,
          .source = idle.source,
          .words = "The device did nothing for " + format_percent(idle.value) + " of the time" +
                   labelled(idle.source) + ": what happens between the kernels limits it.",
          .next = "Look at the timeline for waits, copies and launches between the kernels."};
}

}  // namespace

std::optional<Limit> what_limits(const Counters& counters, const std::vector<Gate>& gates) {
  if (const CounterValue* idle = find(counters, "gpu_idle_pct");
      idle && *idle->value >= idle_from_pct)
    return idle_limit(*idle);
  const CounterValue* busiest = nullptr;
  Limit limit;
  for (const std::string_view unit : units) {
    const CounterValue* value = find(counters, unit);
    if (!value || (busiest && *value->value <= *busiest->value)) continue;
    busiest = value;
    limit.metric = unit;
  }
  if (!busiest) return std::nullopt;
  limit.percent = *busiest->value;
  limit.source = busiest->source;
  const std::string reached = label_of(limit.metric) + " is at " + format_percent(limit.percent) +
                              " of its peak" + labelled(limit.source);
  if (limit.percent >= policy::saturated_pct) {
    limit.kind = Limit::Kind::ceiling;
    limit.words = reached + ": that is the ceiling it is at now." + ceiling_words(gates);
    limit.next = "Only less of that work can make it faster.";
  } else if (limit.percent >= policy::busy_pct) {
    limit.kind = Limit::Kind::near_ceiling;
    limit.words = reached + ": no ceiling yet, but the nearest one." + ceiling_words(gates);
  } else {
    limit.words = "No part of the device is near its ceiling. " + reached +
                  ", the busiest: the kernel waits rather than works." + ceiling_words(gates);
    limit.next =
        "Have more under way at once: more independent loads in each thread, or more warps.";
  }
  if (const Metric* metric = find_metric(limit.metric); limit.next.empty() && metric)
    limit.next = metric->try_next;
  return limit;
}

}  // namespace klab
