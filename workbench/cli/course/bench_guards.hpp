// What each guard of the verdict costs.
#pragma once

#include <vector>

#include "cli/course/bench_figure.hpp"
#include "cli/verbs/check_session.hpp"

namespace klab::cli {

/// Seconds of a check's correctness, and for each guard that can be left out the ratio of the phase
/// with it to the one without, both in turns. On the simulator where the device is simulated.
std::vector<Figure> cost_of_guards(const Context& context, const Lab& lab,
                                   const DeviceFacts& device, int repeats);

}  // namespace klab::cli
