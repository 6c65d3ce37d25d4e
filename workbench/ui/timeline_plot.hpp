// TimelinePlot: tracks of spans over an axis of time, drawn over ImDrawList.
#pragma once

#include <optional>
#include <string>

#include "ui/timeline_view.hpp"

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

/// "12.34 us" with as many digits as an axis of this step needs.
std::string axis_label(double at_ns, double most_ns, double step_ns);

/// Of a timeline of order only: "step 17"; "3 steps".
std::string step_label(double step);
std::string steps_text(double steps);

/// What is known of a span, a line each: name, duration, start, stream, size; of order only its
/// steps, and no time.
std::string describe(const TracedVariant& traced, const TimelineTrack& track,
                     const TimelineSpan& span);

}  // namespace klab::ui
