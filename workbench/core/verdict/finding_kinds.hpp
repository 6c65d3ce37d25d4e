// Kinds of findings that more than one layer knows by name.
#pragma once

#include <string_view>

namespace klab {

/// Launches that take memory each time and never give it back.
inline constexpr std::string_view memory_leak = "memory_leak";

}  // namespace klab
