// Measuring: what checks run on, and what it was measured to do at best.
#pragma once

#include "core/check/machine.hpp"
#include "ui/background/launcher.hpp"
#include "ui/session/desk.hpp"

namespace klab::ui {

class Measuring {
 public:
  Measuring(Desk& desk, Launcher& launcher) : desk_(desk), launcher_(launcher) {}

  /// What checks run on, once it was found out.
  void set_device(const Result<Chosen>& chosen);
  void begin_ceilings();
  void take(const Result<Ceilings>& measured);

 private:
  Desk& desk_;
  Launcher& launcher_;
};

}  // namespace klab::ui
