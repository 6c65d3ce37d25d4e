// The command lines of NVIDIA's profilers around a runner's own.
#pragma once

#include <string>
#include <vector>

namespace klab {

/// `nsys` or `ncu` with the options that show a timed launch of the variant "candidate", writing a
/// report beside `output`; the runner's own command follows. Options of nsys carry their value
/// after an equal sign, as its manual asks.
std::vector<std::string> profiler_command(const std::string& tool, const std::string& output);

}  // namespace klab
