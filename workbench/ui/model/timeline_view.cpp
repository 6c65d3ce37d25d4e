// TimelineView: zooming, panning and stepping, as functions from one view to the next.
#include "ui/model/timeline_view.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace klab::ui {
namespace {

/// Empty space that may be shown beyond the ends, as a share of what is shown.
constexpr double slack = 0.02;

/// Closer than this nothing more is to be seen.
double least_range(const Timeline& timeline) {
  return timeline.order_only() ? least_range_steps : least_range_ns;
}

TimelineRange limits(const Timeline& timeline, const TimelineView& view) {
  const TimelineRange whole = whole_range(timeline, view);
  const double margin = whole.length_ns() * slack;
  return {whole.from_ns - margin, whole.to_ns + margin};
}

TimelineView with_range(const Timeline& timeline, TimelineView view, double from_ns,
                        double length_ns) {
  const TimelineRange most = limits(timeline, view);
  length_ns =
      std::clamp(length_ns, std::min(least_range(timeline), most.length_ns()), most.length_ns());
  if (length_ns >= most.length_ns()) return fitted(std::move(view));
  const TimelineRange whole = whole_range(timeline, view);
  const double margin = length_ns * slack;
  from_ns = std::clamp(from_ns, whole.from_ns - margin,
                       std::max(whole.from_ns, whole.to_ns - length_ns) + margin);
  view.range = TimelineRange{from_ns, from_ns + length_ns};
  return view;
}

const TimelineLane* lane_of(const Timeline& timeline, const TimelinePick& pick) {
  if (pick.variant >= timeline.variants.size()) return nullptr;
  const auto& lanes = timeline.variants[pick.variant]->lanes;
  if (pick.track >= lanes.size() || pick.lane >= lanes[pick.track].lanes.size()) return nullptr;
  return &lanes[pick.track].lanes[pick.lane];
}

/// All lanes of the shown variants from top to bottom, each as a pick of its first span.
std::vector<TimelinePick> all_lanes(const Timeline& timeline, const TimelineView& view) {
  std::vector<TimelinePick> picks;
  for (const std::size_t v : shown_variants(timeline, view)) {
    const auto& tracks = timeline.variants[v]->lanes;
    for (std::size_t t = 0; t < tracks.size(); ++t)
      for (std::size_t l = 0; l < tracks[t].lanes.size(); ++l)
        if (tracks[t].lanes[l].size() > 0) picks.push_back({v, t, l, 0});
  }
  return picks;
}

/// Picks the span of this lane that is nearest to a moment.
TimelineView pick_near(const Timeline& timeline, TimelineView view, TimelinePick lane,
                       double at_ns) {
  if (const auto index = span_at(*lane_of(timeline, lane), at_ns, INFINITY)) {
    lane.index = *index;
    view.picked = lane;
  }
  return view;
}

TimelineView show_picked(const Timeline& timeline, TimelineView view) {
  const TimelineSpan* span = picked_span(timeline, view);
  if (!span) return view;
  const TimelineRange shown = shown_range(timeline, view);
  const auto from = static_cast<double>(span->start_ns), to = static_cast<double>(span->end_ns);
  if (from >= shown.from_ns && to <= shown.to_ns) return view;
  if (to - from > shown.length_ns())
    return brought_into_sight(timeline, std::move(view), {from, to});
  return with_range(timeline, std::move(view), (from + to - shown.length_ns()) / 2,
                    shown.length_ns());
}

}  // namespace

std::vector<std::size_t> shown_variants(const Timeline& timeline, const TimelineView& view) {
  if (view.only && *view.only < timeline.variants.size()) return {*view.only};
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < timeline.variants.size(); ++i) all.push_back(i);
  return all;
}

TimelineRange whole_range(const Timeline& timeline, const TimelineView& view) {
  std::int64_t end_ns = static_cast<std::int64_t>(least_range(timeline));
  for (const std::size_t v : shown_variants(timeline, view)) {
    const VariantTimeline& recorded = timeline.variants[v]->recorded;
    for (const TimelineRun& run : recorded.runs) end_ns = std::max(end_ns, run.end_ns);
    for (const TimelineTrack& track : recorded.tracks)
      if (!track.spans.empty()) end_ns = std::max(end_ns, track.spans.back().end_ns);
  }
  return {0, static_cast<double>(end_ns)};
}

TimelineRange shown_range(const Timeline& timeline, const TimelineView& view) {
  return view.range ? *view.range : limits(timeline, view);
}

TimelineView fitted(TimelineView view) {
  view.range.reset();
  view.gap_ns.reset();
  return view;
}

TimelineView zoomed(const Timeline& timeline, TimelineView view, double around_ns, double factor) {
  const TimelineRange shown = shown_range(timeline, view);
  const double most_ns = limits(timeline, view).length_ns();
  const double length =
      std::clamp(shown.length_ns() * factor, std::min(least_range(timeline), most_ns), most_ns);
  const double share = (around_ns - shown.from_ns) / shown.length_ns();
  return with_range(timeline, std::move(view), around_ns - share * length, length);
}

TimelineView panned(const Timeline& timeline, TimelineView view, double share) {
  const TimelineRange shown = shown_range(timeline, view);
  return with_range(timeline, std::move(view), shown.from_ns + share * shown.length_ns(),
                    shown.length_ns());
}

TimelineView brought_into_sight(const Timeline& timeline, TimelineView view, TimelineRange range) {
  const double length = std::max(range.length_ns(), least_range(timeline)) * 1.5;
  return with_range(timeline, std::move(view), (range.from_ns + range.to_ns - length) / 2, length);
}

TimelineView only(TimelineView view, std::optional<std::size_t> variant) {
  view.only = variant;
  view.picked.reset();
  return fitted(std::move(view));
}

const TimelineSpan* picked_span(const Timeline& timeline, const TimelineView& view) {
  if (!view.picked) return nullptr;
  const TimelineLane* lane = lane_of(timeline, *view.picked);
  if (!lane || view.picked->index >= lane->size()) return nullptr;
  const auto& tracks = timeline.variants[view.picked->variant]->recorded.tracks;
  return &tracks[view.picked->track].spans[lane->span[view.picked->index]];
}

TimelineView next_span(const Timeline& timeline, TimelineView view, int step) {
  if (!picked_span(timeline, view)) {
    const auto lanes = all_lanes(timeline, view);
    if (lanes.empty()) return view;
    const double from_ns = shown_range(timeline, view).from_ns;
    return pick_near(timeline, std::move(view), lanes.front(), std::max(from_ns, 0.0));
  }
  const auto most = static_cast<std::ptrdiff_t>(lane_of(timeline, *view.picked)->size()) - 1;
  const auto index = static_cast<std::ptrdiff_t>(view.picked->index) + step;
  view.picked->index = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(index, 0, most));
  return show_picked(timeline, std::move(view));
}

TimelineView next_lane(const Timeline& timeline, TimelineView view, int step) {
  const TimelineSpan* span = picked_span(timeline, view);
  if (!span) return next_span(timeline, std::move(view), 0);
  const auto lanes = all_lanes(timeline, view);
  TimelinePick here = *view.picked;
  here.index = 0;
  const auto at = std::find(lanes.begin(), lanes.end(), here);
  if (at == lanes.end()) return view;
  const auto next = std::clamp<std::ptrdiff_t>(at - lanes.begin() + step, 0,
                                               static_cast<std::ptrdiff_t>(lanes.size()) - 1);
  return show_picked(timeline,
                     pick_near(timeline, std::move(view), lanes[static_cast<std::size_t>(next)],
                               static_cast<double>(span->start_ns)));
}

TimelineView next_gap(const Timeline& timeline, TimelineView view, int step) {
  const TimelineRange shown = shown_range(timeline, view);
  const bool known = view.gap_ns && *view.gap_ns >= shown.from_ns && *view.gap_ns <= shown.to_ns;
  const bool from_first = !known && !view.range;
  const double here_ns = known ? *view.gap_ns : (shown.from_ns + shown.to_ns) / 2;
  const TimelineGap* best = nullptr;
  double best_ns = INFINITY;
  for (const std::size_t v : shown_variants(timeline, view))
    for (const TimelineGap& gap : timeline.variants[v]->analysis.gaps) {
      if (gap.reason == GapReason::between_runs) continue;
      const double middle_ns = static_cast<double>(gap.from_ns + gap.to_ns) / 2;
      const double ahead_ns = from_first ? middle_ns : (middle_ns - here_ns) * step;
      if (ahead_ns > 0 && ahead_ns < best_ns) best = &gap, best_ns = ahead_ns;
    }
  if (!best) return view;
  // With what stands around it, but still as the largest thing in sight.
  const double margin_ns = std::min(static_cast<double>(best->duration_ns()),
                                    0.1 * whole_range(timeline, view).length_ns());
  view = brought_into_sight(timeline, std::move(view),
                            {static_cast<double>(best->from_ns) - margin_ns,
                             static_cast<double>(best->to_ns) + margin_ns});
  view.gap_ns = static_cast<double>(best->from_ns + best->to_ns) / 2;
  return view;
}

TimelineView highlighted(const Timeline& timeline, TimelineView view, const std::string& name) {
  if (view.highlight && view.highlight->name == name) {
    view.highlight.reset();
    return view;
  }
  auto highlight = std::make_shared<TimelineHighlight>();
  highlight->name = name;
  for (const auto& traced : timeline.variants) {
    const auto& names = traced->recorded.names;
    const auto at = std::find(names.begin(), names.end(), name);
    auto& tracks = highlight->lanes.emplace_back();
    if (at == names.end()) continue;
    for (const TimelineTrack& track : traced->recorded.tracks)
      tracks.push_back(lanes_of(track, static_cast<std::uint32_t>(at - names.begin())));
  }
  view.highlight = std::move(highlight);
  return view;
}

TimelineView measured(const Timeline& timeline, TimelineView view) {
  if (view.measure_to_ns) {
    view.measure_from_ns.reset();
    view.measure_to_ns.reset();
    return view;
  }
  const TimelineSpan* span = picked_span(timeline, view);
  if (!span) return view;
  if (view.measure_from_ns)
    view.measure_to_ns = static_cast<double>(span->end_ns);
  else
    view.measure_from_ns = static_cast<double>(span->start_ns);
  return view;
}

}  // namespace klab::ui
