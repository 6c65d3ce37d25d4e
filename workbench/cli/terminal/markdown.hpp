// Markdown for a terminal: lessons and explanations as plain, wrapped text.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/terminal/terminal.hpp"

namespace klab::cli {

/// The text of a figure, from the body of its block.
using DrawFigure = std::function<std::string(std::string_view body)>;

/// CommonMark with tables. Control characters in the source are dropped. Figure blocks are drawn by
/// `draw_figure`; without it they are shown as code.
std::string render_markdown(const Terminal& terminal, std::string_view text,
                            const DrawFigure& draw_figure = {});

}  // namespace klab::cli
