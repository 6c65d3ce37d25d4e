// What a check asks its phases for: sizes, variants and counters; and when it needs the trace
// beside these.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/check/check.hpp"
#include "core/check/prepared_lab.hpp"
#include "core/check/second_look.hpp"
#include "core/course/lab.hpp"
#include "core/judge/evidence.hpp"
#include "core/verdict/check_result.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// The requests of one check, as soon as its kernel files are built. Refers to both.
class PhaseRequests {
 public:
  PhaseRequests(const CheckRequest& check, const PreparedLab& prepared)
      : check_(check), prepared_(prepared) {}

  /// The candidate at the sizes of every check, and at those drawn for this one.
  Request verifying() const;
  Request timing() const;
  /// Whether the device has memory for more runners than have to be there at once.
  bool has_room_for_runners() const;
  /// Counters, trace or agreement: of the candidate and, to compare, of the others.
  Request counting(Phase phase) const;
  /// Whether the trace is needed may be for the counters to say. Where a cause needs it anyhow, and
  /// the clock's turn comes last, it comes first: its runner is ready sooner.
  std::array<Phase, 2> order_of_counting() const;
  /// On the simulator, at the sizes that every check tries; those drawn for this one are large.
  std::vector<Request> looking() const;
  /// The operations once more, at a small size: a GPU's counters take the inner steps of a division
  /// for work.
  Request counting_on_simulator() const;
  /// That, and since they do not tell those of tensor cores for sure, and see none of a graph's
  /// kernels: then at the size that was timed as well. Nothing where the task has no operations.
  std::optional<WorkToCount> work_on_simulator(const Evidence& counted) const;

 private:
  Request request(Phase phase, const std::vector<VariantName>& variants) const;
  bool is_simulated() const { return prepared_.chosen.simulator; }

  const CheckRequest& check_;
  const PreparedLab& prepared_;
};

/// Whether a cause of the lab asks for what this request counts.
bool proves_cause(const Lab& lab, const Request& request);

/// Whether the launch that was counted seems to be another than those that were timed. Calls that
/// allocate may be why, and those are for the trace to say.
bool took_another_time(const CheckResult& result, const Evidence& evidence);

/// Whether it is likely from the start that the trace is needed, with a kernel file's library.
bool may_need_trace(const Lab& lab, const std::filesystem::path& library);

/// Whether counters alone leave something open that the trace can say, whatever the cause is.
bool needs_trace(const CheckResult& result, const Evidence& evidence);

}  // namespace klab
