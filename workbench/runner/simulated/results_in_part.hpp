// Results of some blocks of a launch that is too large to be run whole, against the reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runner/simulated/host_mirror.hpp"
#include "runner/simulated/reach.hpp"
#include "runner/workload/workload.hpp"

namespace klab::runner {

/// Runs some blocks of the launch, gives those elements of the inputs that they touched real
/// values, runs them again, and compares what they wrote. An input that stays zero is zero for the
/// reference as well, so that what is found is wrong. nullopt where nothing can be told: a result
/// that does not follow from the inputs alone, or blocks that touch too much.
/// `problem` has its buffers in memory of the simulator, inputs and outputs all zero; they are
/// again afterwards.
std::optional<Mismatch> compare_in_part(const Workload& workload,
                                        const std::vector<Stretch>& stretches, Problem problem,
                                        const std::vector<std::uint64_t>& blocks,
                                        const RunBlock& run_block);

/// An element of an input.
struct InputPlace {
  std::size_t buffer = 0;
  std::int64_t element = 0;
};

/// Fills what was touched of the inputs with what belongs there; launches that follow run on real
/// values. `problem` has its buffers in memory of the simulator.
class RealInputs {
 public:
  RealInputs(const Workload& workload, std::vector<Stretch> stretches, Problem problem);
  /// Whether there was room on the host; where not, the inputs are what they were.
  bool exist() const { return exist_; }
  /// Whether no input was touched in too many places to fill them all.
  bool complete() const { return exist_ && complete_; }
  /// The first element that something wrote to since: with indices that follow from the inputs, an
  /// array of a fixed size may end in the middle of another one.
  std::optional<InputPlace> changed() const;

 private:
  std::vector<Stretch> stretches_;
  std::vector<HostMirror> mirrors_;
  std::vector<std::vector<Elements>> parts_;
  bool exist_ = true, complete_ = true;
};

}  // namespace klab::runner
