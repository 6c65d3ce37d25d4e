// Timeline lanes: layout by first fit, and decimation by bisection over sums of durations.
#include "core/timeline/lanes.hpp"

#include <algorithm>
#include <cmath>

namespace klab {
namespace {

void add(TimelineLane& lane, const TimelineSpan& span, std::size_t index) {
  const std::int64_t before =
      lane.span.empty() ? 0 : lane.busy_ns.back() + (lane.end_ns.back() - lane.start_ns.back());
  lane.start_ns.push_back(span.start_ns);
  lane.end_ns.push_back(span.end_ns);
  lane.busy_ns.push_back(before);
  lane.span.push_back(static_cast<std::uint32_t>(index));
}

/// Duration of the spans [first, last) of a lane.
std::int64_t busy(const TimelineLane& lane, std::size_t first, std::size_t last) {
  if (first >= last) return 0;
  return lane.busy_ns[last - 1] - lane.busy_ns[first] + lane.end_ns[last - 1] -
         lane.start_ns[last - 1];
}

/// The first position from `from` on that starts at `at_ns` or later, looked for near `from` first.
std::size_t first_from(const TimelineLane& lane, std::size_t from, double at_ns) {
  std::size_t step = 1;
  while (from + step < lane.size() && static_cast<double>(lane.start_ns[from + step]) < at_ns)
    step *= 2;
  const auto begin = lane.start_ns.begin();
  const auto last = begin + static_cast<std::ptrdiff_t>(std::min(from + step, lane.size()));
  const auto found =
      std::partition_point(begin + static_cast<std::ptrdiff_t>(from), last,
                           [=](std::int64_t start) { return static_cast<double>(start) < at_ns; });
  return static_cast<std::size_t>(found - begin);
}

}  // namespace

TrackLanes lanes_of(const TimelineTrack& track, std::optional<std::uint32_t> only_name) {
  TrackLanes result;
  std::vector<std::int64_t> reached;  // where each row is free again
  for (std::size_t i = 0; i < track.spans.size(); ++i) {
    const TimelineSpan& span = track.spans[i];
    std::size_t row = 0;
    while (row < reached.size() && reached[row] > span.start_ns) ++row;
    if (row == most_lanes) {
      ++result.hidden;
      continue;
    }
    if (row == reached.size()) {
      reached.push_back(0);
      result.lanes.emplace_back();
    }
    reached[row] = span.end_ns;
    if (!only_name || *only_name == span.name) add(result.lanes[row], span, i);
  }
  return result;
}

void marks_of(const TimelineLane& lane, double from_ns, double to_ns, int pixels,
              std::vector<LaneMark>& marks) {
  if (!(to_ns > from_ns) || pixels < 1) return;
  const double scale = pixels / (to_ns - from_ns);
  const auto x = [&](std::int64_t at) {
    return static_cast<float>(
        std::clamp((static_cast<double>(at) - from_ns) * scale, 0.0, static_cast<double>(pixels)));
  };
  const auto is_wide = [&](std::size_t i) {
    return static_cast<double>(lane.end_ns[i] - lane.start_ns[i]) * scale >= least_mark_pixels;
  };
  auto i = static_cast<std::size_t>(
      std::partition_point(lane.end_ns.begin(), lane.end_ns.end(),
                           [=](std::int64_t end) { return static_cast<double>(end) < from_ns; }) -
      lane.end_ns.begin());
  while (i < lane.size() && static_cast<double>(lane.start_ns[i]) < to_ns) {
    if (is_wide(i)) {
      marks.push_back({x(lane.start_ns[i]), x(lane.end_ns[i]), i, 1, 1});
      ++i;
      continue;
    }
    const float cell = std::floor(x(lane.start_ns[i]));
    std::size_t next = first_from(lane, i, from_ns + (static_cast<double>(cell) + 1) / scale);
    next = std::max(next, i + 1);
    // A wide span can only be the last that starts within a pixel; it is drawn itself.
    if (next - 1 > i && is_wide(next - 1)) --next;
    const double covered = static_cast<double>(busy(lane, i, next)) * scale;
    marks.push_back({cell, cell + 1, i, next - i, static_cast<float>(std::min(covered, 1.0))});
    i = next;
  }
}

std::optional<std::size_t> span_at(const TimelineLane& lane, double at_ns, double reach_ns) {
  const auto after =
      static_cast<std::size_t>(std::partition_point(lane.start_ns.begin(), lane.start_ns.end(),
                                                    [=](std::int64_t start) {
                                                      return static_cast<double>(start) <= at_ns;
                                                    }) -
                               lane.start_ns.begin());
  std::optional<std::size_t> best;
  double best_ns = reach_ns;
  const auto offer = [&](std::size_t i) {
    const double start = static_cast<double>(lane.start_ns[i]);
    const double end = static_cast<double>(lane.end_ns[i]);
    const double away = at_ns < start ? start - at_ns : at_ns > end ? at_ns - end : 0;
    if (away <= best_ns) best = i, best_ns = away;
  };
  // Of two that are as near the later one: it is what comes next.
  if (after > 0) offer(after - 1);
  if (after < lane.size()) offer(after);
  return best;
}

}  // namespace klab
