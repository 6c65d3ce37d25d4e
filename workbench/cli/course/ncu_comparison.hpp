// Our counters and our clock against Nsight Compute, for the same launch.
#pragma once

#include <vector>

#include "cli/course/bench_figure.hpp"
#include "cli/terminal/context.hpp"

namespace klab::cli {

/// For the flawed and the optimized kernel: how far our device memory bytes, our duration under the
/// profiler and our clock lie from ncu's, in percent of ncu's. Labs whose subject is the host are
/// left out with the reason: ncu runs one kernel at a time. Takes ncu's own time, some seconds a
/// repeat.
std::vector<Figure> compare_with_ncu(const Context& context, const Lab& lab, int repeats);

}  // namespace klab::cli
