// InvestigationFrame: what every page of an investigation has in common: how to begin it, that it
// runs, why there is nothing, and where the numbers come from.
#pragma once

#include <string>

#include "ui/model/commands.hpp"
#include "ui/model/model.hpp"

namespace klab::ui {

struct InvestigationWords {
  const char* title;   ///< "Nothing traced yet"
  const char* what;    ///< what it does and shows, in two or three sentences
  const char* button;  ///< "Trace the kernels"
};

/// What is done right now, for how long, and the button that stops it.
void draw_under_way(const std::string& words, double seconds, bool canceling, Commands& commands);

/// Draws the frame of the current lab's investigation. Returns it if its content is to be drawn
/// below, nullptr if there is none (then the frame has said why and how to get it).
const Investigation* investigation_frame(const Model& model, Commands& commands,
                                         InvestigationKind kind, const InvestigationWords& words);

}  // namespace klab::ui
