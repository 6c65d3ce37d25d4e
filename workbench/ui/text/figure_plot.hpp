// Figure plot: draws a lesson's figure: bars, the lanes of a warp, or the sectors of a
// request.
#pragma once

#include "core/lesson/figure.hpp"

namespace klab::ui {

/// Draws the figure on its own surface at the cursor, `width` pixels wide.
void draw_figure(const LessonFigure& figure, float width);

}  // namespace klab::ui
