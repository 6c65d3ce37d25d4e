// SecondLook: the simulator's checker, after a GPU found nothing wrong.
#pragma once

#include <atomic>
#include <optional>

#include "core/base/tree.hpp"
#include "core/check/check_event.hpp"
#include "core/judge/evidence.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// What is to be counted of a task that names its work.
struct WorkToCount {
  Request request;  ///< for the phase counters, at the simulator's size
  /// The size that is timed and the task's operations there, where the GPU did not tell what was
  /// done of them: what small launches do, large ones may leave out.
  std::optional<Size> timed{};
  double timed_flops = 0;
};

/// Seconds, as a learner waits for them after a pass: the labs' checking sizes take a second or
/// two.
struct LookLimits {
  double all = 8;
  /// Of it, for what is counted at the simulator's size, and at the size that is timed.
  double counting = 2, counting_timed = 5;
  double least_looking = 3;  ///< what is left at least for looking
};

/// Counts the work, if it is asked to, and runs the kernel file of `verify`, a request for the
/// phase of that name, on the simulator of this machine with all its checks. What exceeds its limit
/// is given up, and the look says so.
SecondLook second_look(const Tree& tree, Request verify, const std::optional<WorkToCount>& work,
                       const OnCheckEvent& on_event, const std::atomic<bool>& canceled,
                       const LookLimits& limits = {});

}  // namespace klab
