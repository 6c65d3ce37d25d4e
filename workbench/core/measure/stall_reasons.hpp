// Stall reasons: what a warp waits for, by one vocabulary whatever the tool calls it.
//
// Names are those of the metric catalogue: a reason "barrier" is the metric "stall_barrier_pct",
// whose `meaning` and `try_next` explain it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace klab {

/// What a learner does about a reason decides its kind.
enum class StallKind {
  issuing,          ///< no stall: the warp issues, or could have
  memory,           ///< global, local or texture memory
  shared,           ///< shared memory and special functions
  synchronization,  ///< other warps: barriers, fences, sleeping
  arithmetic,       ///< its own instructions and their pipes
  fetch,            ///< instructions and constants
  other
};

struct StallReason {
  std::string_view name;   ///< "long_scoreboard"
  std::string_view label;  ///< "Memory data"
  StallKind kind = StallKind::other;
};

/// All known reasons in the order in which a bar stacks them: kinds together, useful work first.
std::span<const StallReason> stall_reasons();
/// nullptr for an unknown name.
const StallReason* find_stall_reason(std::string_view name);

/// "A warp waits for data from global or local memory." and what to try; empty for an unknown name.
std::string stall_meaning(std::string_view name);
std::string stall_advice(std::string_view name);

/// A PC sampling metric of CUPTI taken apart.
struct CuptiStall {
  std::string reason;       ///< in our vocabulary; an unknown one as CUPTI calls it
  bool not_issued = false;  ///< of the cycles in which the scheduler issued nothing
};
/// From "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued"; nullopt for anything that is
/// no stall reason, such as "smsp__pcsamp_sample_count".
std::optional<CuptiStall> stall_from_cupti(std::string_view metric);

}  // namespace klab
