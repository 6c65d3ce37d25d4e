// judge(): from everything that was observed to the gates of the verdict. Pure: no clock, no
// process, no file.
#pragma once

#include <optional>
#include <vector>

#include "core/base/result.hpp"
#include "core/judge/evidence.hpp"
#include "core/verdict/verdict.hpp"

namespace klab {

/// Gates of the pass in the order built, correct, same work, cause (one per [[rung.cause]]), time
/// (speed-up, ceiling); every rung; and the score.
struct Judgement {
  std::vector<Gate> gates;
  std::vector<RungResult> rungs;
  std::optional<double> score;  ///< see CheckResult
};
Judgement judge(const Evidence& evidence);

/// Errors that are the kernel's own doing, as against the machine's.
bool is_kernels_fault(const Error& error);

}  // namespace klab
