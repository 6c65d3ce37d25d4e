// StallSource: who can look what warps wait for while a launch runs.
#pragma once

#include "core/verdict/stall_samples.hpp"
#include "runner/phases/counter_source.hpp"

namespace klab::runner {

/// Made before the kernel files are loaded, so that it sees their machine code come in.
class StallSource {
 public:
  virtual ~StallSource() = default;
  /// Samples of several launches on the same inputs. Errors: RunnerError, profiler_* where nothing
  /// can be sampled at all.
  virtual StallSamples sample(const Countable& countable) = 0;
};

}  // namespace klab::runner
