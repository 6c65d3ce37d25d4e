// Investigating: investigations, from the request to what was found.
#pragma once

#include <string>

#include "ui/background/launcher.hpp"
#include "ui/session/kernel_file.hpp"

namespace klab::ui {

class Investigating {
 public:
  Investigating(Desk& desk, KernelFile& file, Launcher& launcher)
      : desk_(desk), file_(file), launcher_(launcher) {}

  void begin(InvestigationKind kind);
  /// False if none was running.
  bool take(const Investigation& found);
  /// Shows what was found of a lab whose learner's text was `source`.
  void keep(const std::string& lab, const Investigation& found, const std::string& source);
  void export_timeline();

 private:
  Desk& desk_;
  KernelFile& file_;
  Launcher& launcher_;
};

}  // namespace klab::ui
