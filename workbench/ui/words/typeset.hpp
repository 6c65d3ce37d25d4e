// Typeset: the signs of print for those of a keyboard.
#pragma once

#include <string>

namespace klab::ui {

/// "<= 110 us" as "≤ 110 µs", as the window writes it.
std::string typeset(std::string text);

}  // namespace klab::ui
