// Least work: what a workload says that its task takes, as the wire carries it.
#pragma once

#include "core/measure/least_work.hpp"
#include "runner/workload/workload.hpp"

namespace klab::runner {

/// Of the task at `size`, without what it does not take.
LeastWork least_work(const Workload& workload, const Size& size);

}  // namespace klab::runner
