// Measuring: the device and its ceilings.
#include "ui/session/pages/device.hpp"

#include <utility>

#include "core/measure/occupancy.hpp"

namespace klab::ui {

void Measuring::set_device(const Result<Chosen>& chosen) {
  if (!chosen) {
    desk_.model.machine.error = chosen.error();
    return;
  }
  desk_.model.machine.device = chosen->device;
  if (!chosen->device.simulated) desk_.model.machine.counter_obstacle = known_counter_obstacle();
  desk_.model.machine.error.reset();
  if (find_multiprocessor_limits(chosen->capability()))
    desk_.model.occupancy.input.compute_capability = chosen->capability();
}

void Measuring::begin_ceilings() {
  if (!desk_.model.machine.device || desk_.model.machine.device->simulated || desk_.model.running())
    return;
  desk_.model.machine.measuring = CeilingsRun{.began_s = desk_.model.now_s};
  desk_.model.machine.measuring_problem.reset();
  launcher_.measure_ceilings({desk_.tree, *desk_.model.machine.device});
}

void Measuring::take(const Result<Ceilings>& measured) {
  const auto run = std::exchange(desk_.model.machine.measuring, std::nullopt);
  if (!run) return;
  if (measured)
    desk_.model.machine.report.ceilings = *measured;
  else if (!run->canceling)
    desk_.model.machine.measuring_problem = measured.error();
}

}  // namespace klab::ui
