// Timeline lanes: the spans of a track laid out in rows without overlap, and what of a row can be
// told apart at a given number of pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/timeline/model.hpp"

namespace klab {

/// One row: spans that do not overlap, in order.
struct TimelineLane {
  std::vector<std::int64_t> start_ns;
  std::vector<std::int64_t> end_ns;
  std::vector<std::int64_t> busy_ns;  ///< busy_ns[i]: duration of all spans before i
  std::vector<std::uint32_t> span;    ///< index in TimelineTrack::spans

  std::size_t size() const { return span.size(); }
};

/// A track has as many rows as spans lie over each other: nested calls below their callers, kernels
/// that run at the same time below each other.
struct TrackLanes {
  std::vector<TimelineLane> lanes;
  std::size_t hidden = 0;  ///< spans beyond the deepest row
};
inline constexpr std::size_t most_lanes = 32;

/// `track.spans` must be in order. With `only_name`, the rows are those of all spans, but hold only
/// spans of that name.
TrackLanes lanes_of(const TimelineTrack& track, std::optional<std::uint32_t> only_name = {});

/// What is drawn of a row between two pixels: one span, or several that are too narrow to be told
/// apart. Pixels count from the left edge of the view.
struct LaneMark {
  float from = 0;
  float to = 0;
  std::size_t first = 0;  ///< position in the lane
  std::size_t count = 1;
  float covered = 1;  ///< share of [from, to) in which one of them ran
};

/// Spans narrower than this are collapsed with their neighbours.
inline constexpr double least_mark_pixels = 2;

/// Appends what `pixels` columns show of [from_ns, to_ns), from left to right. At most about two
/// marks a pixel, in logarithmic time each, however many spans there are.
void marks_of(const TimelineLane& lane, double from_ns, double to_ns, int pixels,
              std::vector<LaneMark>& marks);

/// The span under a moment, or the nearest one at most `reach_ns` away; its position in the lane.
std::optional<std::size_t> span_at(const TimelineLane& lane, double at_ns, double reach_ns);

}  // namespace klab
