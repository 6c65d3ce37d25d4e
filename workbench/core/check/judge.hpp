// judge(): from everything that was observed to the gates of the verdict. Pure: no clock, no
// process, no file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/check/second_look.hpp"
#include "core/course/lab.hpp"
#include "core/measure/ceilings.hpp"
#include "core/measure/least_work.hpp"
#include "core/verdict/check_result.hpp"
#include "core/verdict/verdict.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// What one check observed about the candidate. A phase that did not run leaves its parts empty.
struct Evidence {
  const Lab* lab = nullptr;
  bool simulated = false;
  DeviceFacts device;

  std::optional<Error> build_error;  ///< the candidate's; nothing else was run if set
  /// anything that kept the check from running: toolkit, workload, device
  std::optional<Error> setup_error;
  double build_seconds = 0;

  std::optional<Error> verify_error;
  std::vector<record::Verified> verified;
  std::size_t drawn_sizes = 0;  ///< of the sizes in `verified`, those that nobody knew beforehand
  std::vector<record::Finding> findings;
  std::optional<SecondLook> second_look;  ///< after a pass on a GPU

  std::optional<Error> time_error;
  std::optional<record::Timed> timed;
  std::vector<record::Verified> verified_timed;    ///< launches that were timed
  std::vector<record::Verified> verified_counted;  ///< launches that were counted, where wrong
  Timing timing;

  Counters counters;                       ///< of the candidate, from every source
  std::optional<LeastWork> counted_least;  ///< of the task at the size that was counted
  std::optional<Ceilings> ceilings;
};

/// Gates of the pass in the order built, correct, same work, cause (one per [[rung.cause]]), time
/// (speed-up, ceiling); every rung; and the score.
struct Judgement {
  std::vector<Gate> gates;
  std::vector<RungResult> rungs;
  std::optional<double> score;  ///< see CheckResult
};
Judgement judge(const Evidence& evidence);

}  // namespace klab
