// Work that calls host code.
#pragma once

#include <algorithm>
#include <variant>

#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {

inline bool runs_host_code(const Work& work) {
  if (const auto* graph = std::get_if<GraphWork>(&work))
    return std::any_of(graph->program->steps.begin(), graph->program->steps.end(), runs_host_code);
  return std::holds_alternative<HostWork>(work);
}

}  // namespace klab::sim
