// Kinds of findings that more than one layer knows by name.
#pragma once

#include <string_view>

namespace klab {

/// Launches that take memory each time and never give it back.
inline constexpr std::string_view memory_leak = "memory_leak";

/// The same of streams, events, graphs and pools.
inline constexpr std::string_view object_leak = "object_leak";

/// Launches that are right alone, and not when the next is asked for before the first has run.
inline constexpr std::string_view not_in_a_row = "not_in_a_row";

/// Elements of a large problem to which nothing comes.
inline constexpr std::string_view out_of_reach = "out_of_reach";

/// What a gate counts that a checker's findings failed, though every result was right.
inline constexpr std::string_view unit_of_findings = "findings";

}  // namespace klab
