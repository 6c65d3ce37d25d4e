// Evidence: all that one check observed, from which judge() concludes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/course/lab.hpp"
#include "core/measure/ceilings.hpp"
#include "core/measure/least_work.hpp"
#include "core/verdict/check_result.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// A race, a read of memory that nobody wrote, or an access outside may go well on a GPU a hundred
/// times. The simulator sees them all, in the runs that it is given.
struct SecondLook {
  std::vector<record::Finding> findings;
  /// A result that work on a stream which nobody joined wrote later than the given stream was done.
  /// On a GPU the clock of a lab that waits for the device hides that.
  std::optional<record::Verified> unjoined{};
  /// A result that is wrong in another way there.
  std::optional<record::Verified> wrong{};
  /// A launch of a large size that CUDA's rules forbid there, where those of small ones run.
  std::optional<Error> refused{};
  /// What it counted of the operations that a GPU does not tell, at a small size, and the least of
  /// the task there; empty where it was not asked.
  std::optional<record::CounterSet> counted;
  /// The same at the size that is timed, where the GPU could not tell them there.
  std::optional<record::CounterSet> counted_timed{};
  /// Where it took fewer of the task's steps than there are.
  std::vector<record::FewerSteps> fewer_steps{};
  double share_of_blocks = 1;  ///< that `counted_timed` was worked out from
  std::string not_counted{};   ///< why one of them is missing
  std::string not_looked;      ///< why it saw nothing, or not everything; empty if it saw all
  double seconds = 0;
};

/// What one check observed about the candidate. A phase that did not run leaves its parts empty.
struct Evidence {
  const Lab* lab = nullptr;
  bool simulated = false;
  DeviceFacts device;

  std::optional<Error> build_error;  ///< the candidate's; nothing else was run if set
  /// anything that kept the check from running: toolkit, workload, device
  std::optional<Error> setup_error;
  double build_seconds = 0;
  bool flushes = false;  ///< the candidate's kernels have instructions that flush small numbers

  std::optional<Error> verify_error;
  std::vector<record::Verified> verified;
  std::size_t drawn_sizes = 0;  ///< of the sizes in `verified`, those that nobody knew beforehand
  std::vector<record::Finding> findings;
  std::vector<record::FewerSteps> fewer_steps;  ///< at sizes in `verified`, on the simulator
  std::optional<SecondLook> second_look;        ///< after a pass on a GPU

  std::optional<Error> time_error;
  std::optional<record::Timed> timed;
  int timed_before = 0;  ///< times that told nothing, in whose place these are
  std::vector<record::Verified> verified_timed;    ///< launches that were timed
  std::vector<record::Verified> verified_counted;  ///< launches that were counted, where wrong
  Timing timing;

  Counters counters;                       ///< of the candidate, from every source
  std::optional<LeastWork> counted_least;  ///< of the task at the size that was counted
  LaunchShape counted_shape;               ///< of the launch that was counted
  std::optional<Ceilings> ceilings;
};

}  // namespace klab
