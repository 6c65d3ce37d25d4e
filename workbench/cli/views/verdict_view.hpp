// How a check's result is shown: gates, times, and variants side by side.
#pragma once

#include <string>

#include "cli/terminal/terminal.hpp"
#include "core/course/lab.hpp"
#include "core/verdict/check_result.hpp"

namespace klab::cli {

/// "02-coalescing  mine  ·  NVIDIA H200, driver 580.159.04, CUDA 13.0  ·  seed 1234"
std::string view_heading(const Terminal& terminal, const CheckResult& result);
/// Every gate with number, target, source, and what to do next where it did not pass.
std::string view_gates(const Terminal& terminal, const CheckResult& result);
/// Times of the variants and the ratio; empty if nothing was timed.
std::string view_times(const Terminal& terminal, const CheckResult& result);
/// After a pass: the score, the stretch goals that were reached, and what the next one asks. Empty
/// where there is nothing to say.
std::string view_ladder(const Terminal& terminal, const CheckResult& result);
/// What the kernel file printed, at most `lines` of it; empty if it printed nothing.
std::string view_printed(const Terminal& terminal, const CheckResult& result, std::size_t lines);
/// The whole verdict of one check.
std::string view_result(const Terminal& terminal, const CheckResult& result);
/// The verdict in two to four lines, for watching.
std::string view_compact(const Terminal& terminal, const CheckResult& result);
/// Time, ratio and counters of flawed, mine and optimized: first those that the lab is about, then
/// those that differ; with `all` the rest too.
std::string view_comparison(const Terminal& terminal, const CheckResult& result, bool all);

}  // namespace klab::cli
