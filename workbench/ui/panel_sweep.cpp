// Sweep: time and counters over a range of one parameter.
#include "ui/investigation_frame.hpp"
#include "ui/panels.hpp"

namespace klab::ui {

void draw_sweep(const Model& model, Commands& commands) {
  const Investigation* found =
      investigation_frame(model, commands, InvestigationKind::sweep,
                          {.title = "Nothing swept yet",
                           .what = "Runs each kernel over a range of problem sizes and shows where "
                                   "the faster one begins to win.",
                           .button = "Sweep the sizes"});
  if (!found) return;
}

}  // namespace klab::ui
