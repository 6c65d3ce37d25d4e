// The vocabulary of stall reasons, and what CUPTI calls them.
#include "core/measure/stall_reasons.hpp"

#include <array>
#include <utility>

#include "core/measure/catalogue/metric_catalogue.hpp"

namespace klab {
namespace {

constexpr std::array<StallReason, 19> vocabulary = {{
    {"selected", "Issuing", StallKind::issuing},
    {"not_selected", "Ready, another chosen", StallKind::issuing},
    {"long_scoreboard", "Memory data", StallKind::memory},
    {"lg_throttle", "Memory queue full", StallKind::memory},
    {"tex_throttle", "Texture queue full", StallKind::memory},
    {"drain", "Last stores", StallKind::memory},
    {"short_scoreboard", "Shared memory or special function", StallKind::shared},
    {"mio_throttle", "Shared memory queue full", StallKind::shared},
    {"barrier", "Barrier", StallKind::synchronization},
    {"membar", "Memory fence", StallKind::synchronization},
    {"sleeping", "Sleeping", StallKind::synchronization},
    {"gmma", "Matrix instruction", StallKind::synchronization},
    {"wait", "Fixed latency", StallKind::arithmetic},
    {"math_pipe_throttle", "Arithmetic pipe busy", StallKind::arithmetic},
    {"dispatch_stall", "Dispatcher", StallKind::arithmetic},
    {"no_instruction", "Instruction fetch", StallKind::fetch},
    {"branch_resolving", "Branch target", StallKind::fetch},
    {"imc_miss", "Constant cache miss", StallKind::fetch},
    {"misc", "Other", StallKind::other},
}};

/// What PC sampling calls otherwise than the counters of the Range Profiler do.
constexpr std::pair<std::string_view, std::string_view> synonyms[] = {
    {"no_instructions", "no_instruction"}, {"warpgroup_arrive", "gmma"}};

constexpr std::string_view not_issued_suffix = "_not_issued";

const Metric* metric_of(std::string_view name) {
  return find_metric("stall_" + std::string(name) + "_pct");
}

}  // namespace

std::span<const StallReason> stall_reasons() { return vocabulary; }

const StallReason* find_stall_reason(std::string_view name) {
  for (const StallReason& reason : vocabulary)
    if (reason.name == name) return &reason;
  return nullptr;
}

std::string stall_meaning(std::string_view name) {
  const Metric* metric = metric_of(name);
  return metric ? std::string(metric->meaning) : std::string();
}

std::string stall_advice(std::string_view name) {
  const Metric* metric = metric_of(name);
  return metric ? std::string(metric->try_next) : std::string();
}

std::optional<CuptiStall> stall_from_cupti(std::string_view metric) {
  // Both families occur, by chip: CUPTI documentation, "PC Sampling API", stall reasons.
  for (const std::string_view prefix :
       {"smsp__pcsamp_warps_issue_stalled_", "smsp__pcsamp_warp_stall_"}) {
    if (!metric.starts_with(prefix) || metric.size() == prefix.size()) continue;
    metric.remove_prefix(prefix.size());
    CuptiStall stall;
    if (metric.ends_with(not_issued_suffix)) {
      stall.not_issued = true;
      metric.remove_suffix(not_issued_suffix.size());
    }
    for (const auto& [theirs, ours] : synonyms)
      if (metric == theirs) metric = ours;
    stall.reason = std::string(metric);
    return stall;
  }
  return std::nullopt;
}

}  // namespace klab
