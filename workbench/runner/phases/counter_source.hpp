// CounterSource and StallSource: who can count what one launch does, and who can look what warps
// wait for meanwhile. CUPTI and the simulator answer through them.
#pragma once

#include <functional>
#include <vector>

#include "core/measure/least_work.hpp"
#include "core/verdict/stall_samples.hpp"
#include "core/verdict/variant_name.hpp"
#include "core/wire/protocol.hpp"

namespace klab::runner {

/// One kernel file's launch, which a source may repeat as often as it needs. The first one also
/// loads the module, so a source that minds launches once before it counts.
struct Countable {
  VariantName variant;
  Size size;
  LeastWork least;                ///< of the task at this size
  std::function<void()> prepare;  ///< new inputs, cold L2; waits for the device
  /// Keeps the device busy with a kernel of the harness while the host enqueues the launch, so that
  /// slow calls of a watched host do not show as gaps on the device.
  std::function<void()> head_start;
  bool is_timed_idle;  ///< timed launches find an idle device, not one that is held
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

/// Made before the kernel files are loaded, so that it sees their machine code come in.
class StallSource {
 public:
  virtual ~StallSource() = default;
  /// Samples of several launches. Errors: RunnerError, profiler_* where nothing can be sampled at
  /// all.
  virtual StallSamples sample(const Countable& countable) = 0;
};

}  // namespace klab::runner
