// Investigations: what was found out about kernels beyond a check, and what is being found out.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/investigate/investigation.hpp"
#include "core/measure/occupancy.hpp"
#include "ui/model/timeline_view.hpp"

namespace klab::ui {

/// An investigation that is running.
struct InvestigationRun {
  InvestigationKind kind = InvestigationKind::timeline;
  std::string lab;  ///< id
  double began_s = 0;
  std::string text;    ///< the last sentence about it
  std::string source;  ///< the learner's text when it began
  bool canceling = false;
};

struct Investigations {
  std::map<std::string, std::map<InvestigationKind, Investigation>> found;  ///< by lab id
  std::optional<InvestigationRun> running;
  std::map<std::string, std::string> sampled_sources;  ///< the learner's text, by lab id
  TimelineView timeline;                               ///< of the current lab's timeline
  SweepPlan sweep;                                     ///< what the next sweep varies
};

/// The occupancy page's calculator.
struct OccupancyPage {
  OccupancyInput input;
  bool chosen = false;                     ///< by hand; else it follows what is known of the kernel
  std::optional<OccupancyInput> measured;  ///< of the learner's kernel, once built
  bool measured_launch = false;            ///< its block size was seen too
  std::string measured_kernel;             ///< its name

  /// What is known of the learner's kernel, on the chosen device; the rest stays as it is.
  OccupancyInput of_kernel() const;
  /// The calculator shows just that.
  bool shows_kernel() const;
};

}  // namespace klab::ui
