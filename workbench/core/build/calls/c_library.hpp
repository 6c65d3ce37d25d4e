// What a kernel file may ask of the C library, and of what the compiler itself calls.
#pragma once

#include <string_view>

namespace klab {

/// Whether the function or variable is among what a kernel file needs: memory, text, mathematics,
/// sorting, printing, locks, clocks and the language's own support. All others are refused: the
/// names by which a C library opens a file or starts a thread are too many to list.
bool is_needed_of_c(std::string_view symbol);

}  // namespace klab
