// Figure text: a lesson's figure in characters, for a terminal.
#pragma once

#include <string>

#include "cli/terminal/terminal.hpp"
#include "core/lesson/figure.hpp"

namespace klab::cli {

/// A line a kernel with its number, then how to read it and where the counts come from.
std::string figure_text(const Terminal& terminal, const LessonFigure& figure);

}  // namespace klab::cli
