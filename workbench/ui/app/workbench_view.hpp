// WorkbenchView: the whole window from one model: arrangement, keys, and every panel in its place.
#pragma once

#include "ui/model/commands.hpp"
#include "ui/model/model.hpp"

namespace klab::ui {

/// Draws one frame. What the user did is appended to `commands`.
void draw_workbench(const Model& model, Commands& commands);

}  // namespace klab::ui
