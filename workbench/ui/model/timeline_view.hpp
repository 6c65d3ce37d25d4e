// TimelineView: what of a timeline is shown and how close, as a plain value. No ImGui.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/investigate/timeline.hpp"

namespace klab::ui {

/// A stretch of time, in nanoseconds since the first run began; in steps where there is no clock.
struct TimelineRange {
  double from_ns = 0;
  double to_ns = 0;
  double length_ns() const { return to_ns - from_ns; }
};

/// One span of a shown variant.
struct TimelinePick {
  std::size_t variant = 0;  ///< in Timeline::variants
  std::size_t track = 0;
  std::size_t lane = 0;
  std::size_t index = 0;  ///< in the lane
  bool operator==(const TimelinePick&) const = default;
};

/// All spans of one name, laid out like the spans that they stand among.
struct TimelineHighlight {
  std::string name;
  std::vector<std::vector<TrackLanes>> lanes;  ///< by variant, then by track
};

struct TimelineView {
  /// the one variant that is shown; absent: all, above each other
  std::optional<std::size_t> only;
  std::optional<TimelineRange> range;  ///< absent: everything
  std::optional<TimelinePick> picked;
  std::shared_ptr<const TimelineHighlight> highlight;
  std::optional<double> gap_ns;           ///< middle of the gap that was brought into sight last
  std::optional<double> measure_from_ns;  ///< where a measurement began
  std::optional<double> measure_to_ns;
};

/// Closer than this nothing more is to be seen: clocks tick in nanoseconds.
inline constexpr double least_range_ns = 50;
/// The same for a timeline of order only, whose unit is the step.
inline constexpr double least_range_steps = 8;

/// The variants that `view` shows, as positions in Timeline::variants.
std::vector<std::size_t> shown_variants(const Timeline& timeline, const TimelineView& view);
/// From 0 to the end of the longest shown variant; never empty.
TimelineRange whole_range(const Timeline& timeline, const TimelineView& view);
TimelineRange shown_range(const Timeline& timeline, const TimelineView& view);

/// Each returns `view` changed so; the range stays within the whole one.
TimelineView fitted(TimelineView view);
/// `factor` < 1 comes closer; what lies at `around_ns` stays where it is.
TimelineView zoomed(const Timeline& timeline, TimelineView view, double around_ns, double factor);
/// Moves by a share of what is shown.
TimelineView panned(const Timeline& timeline, TimelineView view, double share);
/// Shows `range` with a margin.
TimelineView brought_into_sight(const Timeline& timeline, TimelineView view, TimelineRange range);
TimelineView only(TimelineView view, std::optional<std::size_t> variant);

/// The picked span; nullptr if nothing, or something that is not there, is picked.
const TimelineSpan* picked_span(const Timeline& timeline, const TimelineView& view);
/// `step` spans on in the same lane, or the first span in sight if none is picked. Moves the view
/// if the span is out of sight.
TimelineView next_span(const Timeline& timeline, TimelineView view, int step);
/// The nearest span one lane further down or up, across tracks and variants.
TimelineView next_lane(const Timeline& timeline, TimelineView view, int step);
/// Brings the next or previous gap into sight: seen from the one shown last, or from the middle of
/// the view if that one is out of sight, or the first of all if everything is shown.
TimelineView next_gap(const Timeline& timeline, TimelineView view, int step);
/// Highlights all spans of this name; once more: none.
TimelineView highlighted(const Timeline& timeline, TimelineView view, const std::string& name);
/// Begins a measurement at the picked span's start, ends it at the picked span's end, then clears
/// it.
TimelineView measured(const Timeline& timeline, TimelineView view);

}  // namespace klab::ui
