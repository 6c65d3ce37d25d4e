// Markdown for a terminal: lessons and explanations as plain, wrapped text.
#pragma once

#include <string>
#include <string_view>

#include "cli/terminal.hpp"

namespace klab::cli {

/// CommonMark with tables. Control characters in the source are dropped.
std::string render_markdown(const Terminal& terminal, std::string_view markdown);

}  // namespace klab::cli
