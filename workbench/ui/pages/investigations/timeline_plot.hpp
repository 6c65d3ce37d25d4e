// TimelinePlot: tracks of spans over an axis of time, drawn over ImDrawList.
#pragma once

#include <optional>
#include <string>

#include "ui/model/timeline_view.hpp"

namespace klab::ui {

/// What lies under the pointer.
struct TimelineHover {
  double at_ns = 0;
  bool in_plot = false;  ///< right of the labels
  std::optional<TimelinePick> span;
  std::size_t variant = 0;
  const TimelineGap* gap = nullptr;
};

/// Draws the shown variants below each other with one axis, as an area that takes the mouse; `id`
/// is the area's. The area is the last item afterwards.
TimelineHover plot_timeline(const char* id, const Timeline& timeline, const TimelineView& view);

/// Width of the column of labels.
float timeline_label_width();

}  // namespace klab::ui
