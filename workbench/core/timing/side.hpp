// Side: who is timed, as the loop that gives turns sees it.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>

#include "core/base/result.hpp"
#include "core/measure/measure_policy.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// How many processes each kernel file gets, whoever asks.
inline int processes_a_side(const Request& request) {
  return std::clamp(request.processes, 1, policy::most_processes);
}

/// A process that holds one kernel file and runs only in its turns.
class Side {
 public:
  virtual ~Side() = default;
  struct Sampled {
    record::Sample sample;
    double turn_s = 0;  ///< by the clock of whoever gave the turn
  };
  /// Errors: however it ended instead.
  virtual Result<Sampled> sample(const Turn& turn) = 0;
  /// Of its last sample, all launches in full.
  virtual Result<record::Verified> verify() = 0;
  /// What it knew when it ended.
  virtual Result<record::Timed> end() = 0;
};
using StartSide = std::function<std::unique_ptr<Side>(const PluginRequest&)>;

}  // namespace klab
