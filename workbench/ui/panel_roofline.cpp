// Roofline: each kernel under the measured ceilings.
#include "ui/investigation_frame.hpp"
#include "ui/panels.hpp"

namespace klab::ui {

void draw_roofline(const Model& model, Commands& commands) {
  const Investigation* found =
      investigation_frame(model, commands, InvestigationKind::roofline,
                          {.title = "No roofline yet",
                           .what = "Places each kernel by its intensity and its rate under the "
                                   "ceilings that this device was measured to reach.",
                           .button = "Measure the roofline"});
  if (!found) return;
}

}  // namespace klab::ui
