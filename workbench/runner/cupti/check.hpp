// check_cupti: throws what a CUPTI status means for the learner.
#pragma once

#include <cupti_result.h>

#include "core/base/result.hpp"

namespace klab::runner {

/// The Error that fits `status` of `call`: profiler_denied, profiler_busy, profiler_attached,
/// profiler_unsupported, or runner_failed.
Error cupti_error(CUptiResult status, const char* call);

/// Throws RunnerError unless `status` is success.
void check_cupti(CUptiResult status, const char* call);

}  // namespace klab::runner
