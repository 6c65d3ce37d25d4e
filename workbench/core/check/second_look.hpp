// SecondLook: the simulator's checker, after a GPU found nothing wrong.
#pragma once

#include <atomic>
#include <future>
#include <optional>

#include "core/base/side_by_side.hpp"
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

/// Processors that a look takes for itself alone: each of its processes keeps one or two busy.
inline constexpr std::size_t enough_processors = 8;

/// Seconds, as a learner waits for them after a pass: the labs' checking sizes take a second or
/// two.
struct LookLimits {
  double looking = 8;
  /// For a device of few multiprocessors: its larger sizes are left out first.
  double few = 1.5;
  /// For each size beyond the usual ones.
  double beyond = 1;
  /// For what is counted at the simulator's size, and at the size that is timed.
  double counting = 2, counting_timed = 5;
  /// Whether each huge size is looked at in a process of its own.
  bool side_by_side = processors() >= enough_processors;
};

/// Runs the kernel file of requests for the phase verify, one or more, on the simulator of this
/// machine with all its checks; with many processors, side by side. What exceeds its limit is given
/// up, and the look says so.
SecondLook second_look(const Tree& tree, std::vector<Request> verify,
                       const std::atomic<bool>& canceled, const LookLimits& limits = {});

/// The same while something else goes on, where there are processors for both; what `count` asks
/// for, if anything, is counted beside. It ends with the look, however far that is.
class RunningLook {
 public:
  static bool has_processors() { return processors() >= enough_processors; }
  RunningLook(const Tree& tree, std::vector<Request> verify, std::optional<Request> count);
  ~RunningLook();

  /// What it found. Ends it once `canceled`.
  SecondLook wait(const std::atomic<bool>& canceled);

 private:
  std::atomic<bool> given_up_ = false;
  std::shared_future<SecondLook> look_;
};

/// Counts the work on the simulator of this machine, unless that was done, and puts into `look`
/// what it was.
void count_work(const Tree& tree, const WorkToCount& work, SecondLook& look,
                const std::atomic<bool>& canceled, const LookLimits& limits = {});

}  // namespace klab
