// CounterSource: who can count what one launch does. CUPTI's hardware counters, CUPTI's trace and
// the simulator's counts all answer through it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/wire/protocol.hpp"

namespace klab::runner {

/// One kernel file's launch, which a source may repeat as often as it needs. The first one also
/// loads the module, so a source that minds launches once before it counts.
struct Countable {
  std::string variant;
  std::function<void()> prepare;  ///< same inputs, cold L2; waits for the device
  /// Keeps the device busy with a kernel of the harness while the host enqueues the launch, so that
  /// slow calls of a watched host do not show as gaps on the device.
  std::function<void()> head_start;
  std::function<void()> launch;
  std::function<void()> wait;  ///< for the device
};

class CounterSource {
 public:
  virtual ~CounterSource() = default;
  /// Counts of one launch. A metric that the source cannot give is absent with its reason. Errors:
  /// RunnerError, profiler_* where nothing can be counted at all.
  virtual record::CounterSet count(const Countable& countable) = 0;
  /// What the source lines of the launch last counted cost; empty where the source cannot tell.
  virtual std::vector<LineHeat> lines() const { return {}; }
};

}  // namespace klab::runner
