// Session: what checks run on, and what it was measured to do at best.
#include <utility>

#include "core/measure/occupancy.hpp"
#include "ui/session/session.hpp"

namespace klab::ui {

void Session::set_device(const Result<Chosen>& chosen) {
  if (!chosen) {
    model_.device_error = chosen.error();
    return;
  }
  model_.device = chosen->device;
  if (!chosen->device.simulated) model_.counter_obstacle = known_counter_obstacle();
  model_.device_error.reset();
  if (chosen->device.compute_capability > 0 &&
      find_multiprocessor_limits(chosen->device.compute_capability))
    model_.occupancy.compute_capability = chosen->device.compute_capability;
}

void Session::begin_ceilings() {
  if (!model_.device || model_.device->simulated || model_.running()) return;
  model_.measuring_ceilings = CeilingsRun{.began_s = model_.now_s};
  model_.measuring_problem.reset();
  launcher_.measure_ceilings({tree_, *model_.device});
}

void Session::take(const Result<Ceilings>& measured) {
  const auto run = std::exchange(model_.measuring_ceilings, std::nullopt);
  if (!run) return;
  if (measured)
    model_.device_report.ceilings = *measured;
  else if (!run->canceling)
    model_.measuring_problem = measured.error();
}

}  // namespace klab::ui
