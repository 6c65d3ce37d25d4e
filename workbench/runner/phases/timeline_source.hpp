// TimelineSource: who can say what happened in a stretch of a process. CUPTI with times, the
// simulator in order only.
#pragma once

#include <vector>

#include "core/timeline/model.hpp"

namespace klab::runner {

class TimelineSource {
 public:
  virtual ~TimelineSource() = default;
  /// Throws away what was seen so far. Errors: RunnerError.
  virtual void begin() = 0;
  /// The moment that is now, as `runs` of end() have it.
  virtual std::int64_t now() const = 0;
  /// What began within `runs`, counted from the first run's begin. Calls between `launched` and
  /// `end` of a run are marked as the harness's. Errors: RunnerError.
  virtual VariantTimeline end(VariantName variant, std::vector<TimelineRun> runs) = 0;
};

}  // namespace klab::runner
