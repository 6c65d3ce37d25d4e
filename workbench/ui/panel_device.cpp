// Device: facts, ceilings and what is not permitted here.
#include "ui/panels.hpp"
#include "ui/widgets.hpp"

namespace klab::ui {

void draw_device(const Model& model, Commands&) {
  const Theme& t = theme();
  gap(10);
  const Card card("facts");
  if (model.device)
    text(t.font.title, t.color.text, model.device->name, true);
  else if (model.device_error)
    text(t.font.body, t.color.bad, model.device_error->what + " " + model.device_error->remedy,
         true);
}

}  // namespace klab::ui
