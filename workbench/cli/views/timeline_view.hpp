// A timeline as text for a terminal.
#pragma once

#include <string>

#include "cli/terminal/terminal.hpp"
#include "core/investigate/investigation.hpp"

namespace klab::cli {

/// A summary with a column a variant, then for each variant what the time went to and its gaps.
std::string view_timeline(const Terminal& terminal, const Investigation& investigation);

}  // namespace klab::cli
