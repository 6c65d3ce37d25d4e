// CommandLine: a command as a user writes it, cut into its words without any shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace klab {

/// Words are separated by blanks; single quotes, double quotes and backslashes keep what they hold
/// together, as in a POSIX shell. Nothing is expanded. Errors: ErrorCode::usage for no word at all
/// and for a quote that does not end.
Result<std::vector<std::string>> split_command(std::string_view text);

}  // namespace klab
