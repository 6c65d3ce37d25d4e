// Two pieces of work without an order, in words.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "simulator/base/finding.hpp"
#include "simulator/runtime/streams/waits/races.hpp"
#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {

/// "kernel scale on the given stream"; `streams`: those that have a name.
std::string name_of(const Work& work, const WorkOrder& order,
                    const std::map<std::uint64_t, std::string>& streams);

Finding finding_of(const StreamRace& race);

}  // namespace klab::sim
