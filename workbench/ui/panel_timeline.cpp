// Timeline: calls, streams, copies, kernels and the gaps between them.
#include "ui/investigation_frame.hpp"
#include "ui/panels.hpp"

namespace klab::ui {

void draw_timeline(const Model& model, Commands& commands) {
  const Investigation* found =
      investigation_frame(model, commands, InvestigationKind::timeline,
                          {.title = "Nothing traced yet",
                           .what = "Records the calls of the CPU and the work of the GPU on one "
                                   "clock: kernels, copies, waits and the gaps between them.",
                           .button = "Trace the kernels"});
  if (!found) return;
}

}  // namespace klab::ui
