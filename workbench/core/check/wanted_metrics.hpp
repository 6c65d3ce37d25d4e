// Which counters a check collects.
#pragma once

#include <string>
#include <vector>

#include "core/course/lab.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// The catalogue names that this phase is to collect, as far as the machine has a source for them:
/// those of the lab's causes, those that tell what work was done, and, to compare, the default set.
std::vector<std::string> wanted_metrics(const Lab& lab, Phase phase, bool to_compare,
                                        bool simulated);

}  // namespace klab
