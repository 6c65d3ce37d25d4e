// Diagnosis: what limits each kernel, with evidence, and what to try next.
#include "ui/investigation_frame.hpp"
#include "ui/panels.hpp"

namespace klab::ui {

void draw_diagnosis(const Model& model, Commands& commands) {
  const Investigation* found = investigation_frame(
      model, commands, InvestigationKind::stalls,
      {.title = "Not diagnosed yet",
       .what = "Samples what the warps of each kernel wait for, line by line, and names the class "
               "of the bottleneck with its evidence and the two experiments to try next.",
       .button = "Diagnose the kernels"});
  if (!found) return;
}

}  // namespace klab::ui
