// What a graph's conditional node runs: none of its bodies, one of them, or one again and again.
#pragma once

#include <cstdint>
#include <memory>

#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {

class BodyRuns {
 public:
  explicit BodyRuns(const ConditionalWork& work) : work_(work) {}

  /// The body to run now; null when the node is done, or was stopped as a loop without end.
  std::shared_ptr<const GraphProgram> next();

 private:
  const ConditionalWork& work_;
  std::uint64_t runs_ = 0;
};

}  // namespace klab::sim
