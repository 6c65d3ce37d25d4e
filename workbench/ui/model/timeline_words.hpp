// TimelineWords: what a timeline says in words. No ImGui.
#pragma once

#include <string>

#include "core/investigate/timeline.hpp"

namespace klab::ui {

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
